import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeMotion

/// Damaged recordings: each is read or refused with its line, and never traps.
@Suite struct RecordingMutationTests {
    private static let words = [
        "NaN", "Infinity", "-Infinity", "1e999", "-1e308", "1e308", "99999999999999999999", "-0", "9223372036854775807",
        "-9223372036854775808", "null", "true", "\"\"", "\"\\ud800\"", "[]", "{}", "", "ffffffff", "80000000",
        "7fffffff",
        String(repeating: "[", count: 5000), String(repeating: "{\"a\":", count: 5000), "0.1.2", "é",
    ]

    /// One change of a text.
    private static func mutated(_ text: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = text
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return Array(bytes.prefix(place))
        case 1: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
        case 2: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 3: bytes.remove(at: place)
        case 4: bytes.insert(contentsOf: words.randomElement(using: &random)!.utf8, at: place)
        case 5: return replacingWord(in: bytes, near: place, with: Array(words.randomElement(using: &random)!.utf8))
        case 6:
            // A line less, twice, or elsewhere: missing fields and events, and a wrong order.
            var lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
            let line = lines.remove(at: Int.random(in: 0..<lines.count, using: &random))
            if Bool.random(using: &random) { lines.insert(line, at: Int.random(in: 0...lines.count, using: &random)) }
            return Array(lines.joined(separator: [10]))
        default:
            let end = min(bytes.count, place + Int.random(in: 1...30, using: &random))
            bytes.removeSubrange(place..<end)
        }
        return bytes
    }

    /// Replaces a number or a word.
    private static func replacingWord(in bytes: [UInt8], near place: Int, with word: [UInt8]) -> [UInt8] {
        let isPart = { (byte: UInt8) in
            byte >= 0x30 && byte <= 0x39 || byte == 0x2E || byte == 0x2D || byte >= 0x61 && byte <= 0x7A
        }
        guard let start = bytes[place...].firstIndex(where: isPart) else { return bytes }
        let end = bytes[start...].firstIndex { !isPart($0) } ?? bytes.count
        return Array(bytes[..<start]) + word + Array(bytes[end...])
    }

    @Test(arguments: RecordingFormat.allCases) func damagedRecordingsAreReadOrRefusedWithTheirLine(
        format: RecordingFormat
    ) throws {
        var random = SplitMix64(seed: 21)
        var refused = 0
        for round in 0..<(Sample.isWhole ? 20_000 : 120) {
            var bytes = Array(RecordingSamples.text(of: format).utf8)
            for _ in 0...round % 3 where !bytes.isEmpty { bytes = Self.mutated(bytes, &random) }
            var options = RecordingOptions()
            if round % 4 < 2 { options.canvas = (360, 640) }
            let trace: Trace
            do {
                trace = try Recording(bytes, options: options).trace
            } catch {
                refused += 1
                #expect(Self.hasLine(error, of: bytes), "\(error)")
                continue
            }
            try Self.expectWhole(trace)
        }
        #expect(refused > 25)
    }

    /// The line exists, or is the one after the last; an array's elements are named by their paths.
    private static func hasLine(_ error: DocumentError, of bytes: [UInt8]) -> Bool {
        if case .key(let path) = error.position { return path.hasPrefix("[") }
        guard case .text(let line, let column) = error.position else { return false }
        return line >= 1 && line <= bytes.count { $0 == 10 } + 1 && column >= 1 && !error.problem.isEmpty
            && !error.problem.contains("\n")
    }

    /// A trace that was read is one that sessions read too, and can be written.
    private static func expectWhole(_ trace: Trace) throws {
        let text = TraceEncoder.text(of: trace)
        #expect(try TraceDecoder.decode(Array(text.utf8)) == trace)
    }
}
