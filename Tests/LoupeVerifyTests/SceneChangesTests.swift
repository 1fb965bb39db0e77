import LoupeDiff
import LoupeGeometry
import LoupeImaging
import LoupeOracle
import LoupeScene
import Testing

@testable import LoupeVerify

/// Each sentence about a loupe, with a fault that makes it true and faults that make it false.
@Suite struct SceneChangesTests {
    private static let black = Color(red: 0, green: 0, blue: 0)

    private static let scene: Scene = {
        let fills: [Layer] = (0..<12).map { index in
            let rect = Rect(
                x: Double(8 + index % 4 * 24), y: Double(6 + index / 4 * 24), width: 13.3, height: 9.7 + Double(index))
            return Layer(content: .fill(index % 3 == 0 ? black : .defaultRim), rect: rect)
        }
        return Scene(
            canvas: .init(width: 110, height: 90), layers: fills,
            loupes: [
                Loupe(
                    center: Point(x: 55, y: 45), radius: 24, zoom: 3, rim: .init(width: 3, color: black),
                    shadow: .init(offset: Vector(dx: 0, dy: 2), blur: 6, color: black))
            ])
    }()

    /// What is said of a picture in which the loupe is another one. Numbers are rounded to a twentieth.
    private func said(_ change: (inout Scene) -> Void) throws -> String {
        var changed = Self.scene
        change(&changed)
        let reference = try Oracle().render(Self.scene)
        let actual = try Oracle().render(changed)
        let verdict = try Verdict(CaseLimits(for: Self.scene), scene: Self.scene, reference: reference, actual: actual)
        #expect(!verdict.isMet)
        if let first = verdict.changes.first { #expect(verdict.message.hasPrefix("differs: \(first); ")) }
        return verdict.changes.map { change in
            change.description.split(separator: " ").map { word in
                let start = word.prefix { $0 == "(" }
                let end = String(word.reversed().prefix { "),×".contains($0) }.reversed())
                guard let number = Double(word.dropFirst(start.count).dropLast(end.count)), number != 0 else {
                    return String(word)
                }
                let rounded = (number * 20).rounded() / 20
                return start + (rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)") + end
            }.joined(separator: " ")
        }.joined(separator: "; ")
    }

    @Test(arguments: [-0.4, -1, 0.25, 0.7])
    func aRimIsTooFarInOrOut(pixels: Double) throws {
        let said = try said { $0.loupes[0].radius += pixels }
        let words =
            "the rim of loupe 1 is \(abs(pixels) == 1 ? "1" : "\(abs(pixels))") px too far \(pixels > 0 ? "out" : "in")"
        #expect(said == words)
    }

    @Test func otherFaultsOfALoupeHaveOtherSentences() throws {
        #expect(try said { $0.loupes[0].rim?.width += 0.5 } == "the rim of loupe 1 is 0.5 px too wide")
        #expect(try said { $0.loupes[0].rim?.width -= 0.5 } == "the rim of loupe 1 is 0.5 px too narrow")
        #expect(
            try said { $0.loupes[0].center = Point(x: 55.5, y: 44.75) } == "loupe 1 is shifted by (0.5, -0.25) px")
        #expect(
            try said { $0.loupes[0].focus = Point(x: 54.75, y: 45) } == "what loupe 1 shows is shifted by (0.75, 0) px")
        #expect(try said { $0.loupes.removeAll() } == "loupe 1 is missing")
        #expect(try said { $0.loupes[0].shadow = nil } == "the shadow of loupe 1 is missing")
        #expect(try said { $0.loupes[0].rim = nil } == "the rim of loupe 1 is missing")
        #expect(try said { $0.loupes[0].shadow?.blur = 8 } == "the shadow of loupe 1 is blurred by 2 px too much")
        #expect(try said { $0.loupes[0].zoom = 3.05 } == "loupe 1 magnifies 3.05×, not 3×")
    }

    @Test func whatALoupeShowsCanDiffer() throws {
        let reference = try Oracle().render(Self.scene)
        var inside = reference
        for y in 40..<50 {
            for x in 48..<60 { inside[x, y] = [UInt8(17 * (x - 48)), UInt8(25 * (y - 40)), 0, 255] }
        }
        let verdict = try Verdict(CaseLimits(for: Self.scene), scene: Self.scene, reference: reference, actual: inside)
        #expect(verdict.changes == [.loupeContent(loupe: 0)])
        // The same beside the loupe says nothing about it.
        var outside = reference
        for y in 70..<80 {
            for x in 2..<14 { outside[x, y] = [UInt8(17 * (x - 2)), UInt8(25 * (y - 70)), 0, 255] }
        }
        let other = try Verdict(CaseLimits(for: Self.scene), scene: Self.scene, reference: reference, actual: outside)
        #expect(!other.isMet && other.changes.isEmpty)
    }
}

extension Image {
    fileprivate subscript(x: Int, y: Int) -> [UInt8] {
        get { Array(pixels[(y * width + x) * 4..<(y * width + x) * 4 + 4]) }
        set { pixels.replaceSubrange((y * width + x) * 4..<(y * width + x) * 4 + 4, with: newValue) }
    }
}
