import LoupeScene
import Testing

/// Lengths of the world, as `--pixel-size` and scale bars have them.
@Suite struct PhysicalLengthTests {
    @Test(arguments: [
        ("0.65um", 0.65e-6), ("0.65 µm", 0.65e-6), ("0.65\u{3bc}m", 0.65e-6), ("12nm", 12e-9), ("1e-3 mm", 1e-6),
        ("2cm", 0.02), ("3m", 3), ("1.5km", 1500), ("0.01in", 0.000254),
    ]) func aNumberAndAUnitAreALength(_ text: String, _ metres: Double) throws {
        let length = try #require(PhysicalLength(text: text))
        #expect(abs(length.metres / metres - 1) < 1e-12)
        #expect(PhysicalLength(text: length.text) == length)
    }

    @Test(arguments: [
        "", "um", "5", "5 ", "-1um", "0um", "1e10m", "nanm", "0x1pm", "1,5um", "5  um", "5um ", "5Um", "5furlong",
    ])
    func anythingElseIsNone(_ text: String) { #expect(PhysicalLength(text: text) == nil) }

    /// Round lengths by a table, and by their definition for many others.
    @Test func theRoundLengthIsTheNearestByRatio() {
        let table: [(Double, PhysicalLength.Unit, String)] = [
            (130, .um, "100 µm"), (260, .um, "200 µm"), (333, .um, "500 µm"), (730, .um, "1 mm"), (0.9, .um, "1 µm"),
            (0.2, .um, "200 nm"), (0.3, .inch, "0.2 in"), (40, .cm, "500 mm"), (999, .m, "1 km"),
            (0.06, .nm, "0.05 nm"),
        ]
        for (value, unit, text) in table { #expect(PhysicalLength(value, unit).rounded().label == text) }
        for step in 0..<400 {
            var nanometres = 1.0
            for _ in 0..<step { nanometres *= 1.07 }
            let round = PhysicalLength(nanometres, .nm).rounded()
            let ratio = round.metres * 1e9 / nanometres
            #expect(ratio > 0.632 && ratio < 1.582, "\(nanometres) nm: \(round.label)")
            #expect("125".contains(round.text.first { $0 != "0" && $0 != "." } ?? "?"), "\(round.text)")
        }
    }
}
