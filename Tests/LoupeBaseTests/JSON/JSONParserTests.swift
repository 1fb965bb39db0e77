import Foundation
import Glibc
import TestSupport
import Testing

@testable import LoupeBase
@testable import LoupeScene

/// Strict JSON, against RFC 8259 and against Foundation's reader.
@Suite struct JSONParserTests {
    private func parse(_ text: String) throws -> JSONValue {
        try JSONValue(parsing: Array(text.utf8))
    }

    private func sentence(_ bytes: [UInt8]) -> String {
        complaint { try JSONValue(parsing: bytes) }
    }

    @Test(
        arguments: [
            ("null", .null),
            (" \t\r\n true \n", .bool(true)),
            ("false", .bool(false)),
            ("0", .number(0)),
            ("-0.5e+2", .number(-50)),
            ("1E3", .number(1000)),
            ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
            ("5e-324", .number(.leastNonzeroMagnitude)),
            ("1e-999", .number(0)),
            (#""""#, ""),
            (#""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00""#, "\"\\/\u{8}\u{c}\n\r\tAé€😀"),
            ("\"é€😀\"", "é€😀"),
            (#""é\n😀""#, "é\n😀"),
            (#""\u0000""#, "\0"),
            ("[]", []),
            ("{ }", [:]),
            ("[1, [2], {\"a\" : [ ]}]", [.number(1), [.number(2)], ["a": []]]),
        ] as [(String, JSONValue)])
    func readsEveryKindOfValue(text: String, value: JSONValue) throws {
        #expect(try parse(text) == value)
    }

    @Test func objectsKeepTheOrderOfTheirKeys() throws {
        let keys = (0..<100).map { "key \($0 * 37 % 100)" }
        let text = "{" + keys.map { "\"\($0)\": \"\($0)\"" }.joined(separator: ",") + "}"
        guard case .object(let object) = try parse(text) else { return fail("not an object") }
        #expect(object.members.map(\.key) == keys)
        #expect(keys.allSatisfy { object[$0] == .string($0) })
        #expect(object["key 100"] == nil)
    }

    @Test(arguments: [
        ("", "line 1, column 1: the text ends where a value is needed"),
        ("\n\n  ", "line 3, column 3: the text ends where a value is needed"),
        ("{} {}", #"line 1, column 4: "{" stands where the end of the text is needed"#),
        ("[1,]", #"line 1, column 3: a comma stands before "]" with nothing after it"#),
        ("{\"a\": 1,\n}", #"line 1, column 8: a comma stands before "}" with nothing after it"#),
        ("[,1]", #"line 1, column 2: "," stands where a value is needed"#),
        ("[1 2]", #"line 1, column 4: "2" stands where "," or "]" is needed"#),
        ("[1}", #"line 1, column 3: "}" stands where "," or "]" is needed"#),
        ("[1", #"line 1, column 3: the text ends where "," or "]" is needed"#),
        ("{\"a\" 1}", #"line 1, column 6: "1" stands where ":" is needed"#),
        ("{a: 1}", #"line 1, column 2: "a" stands where a key in quotes is needed"#),
        ("{'a': 1}", #"line 1, column 2: "'" stands where a key in quotes is needed"#),
        ("{\"a\":}", #"line 1, column 6: "}" stands where a value is needed"#),
        ("[1] // note", #"line 1, column 5: "/" stands where the end of the text is needed"#),
        ("{\"é\": 1, \"é\": 2}", #"line 1, column 10: the key "é" occurs twice in one object"#),
        ("{\"a\": 1,\n \"\\u0061\": 2}", #"line 2, column 2: the key "a" occurs twice in one object"#),
        ("NaN", "line 1, column 1: NaN is not a JSON value"),
        ("[Infinity]", "line 1, column 2: Infinity is not a JSON value"),
        ("[-Infinity]", #"line 1, column 3: a digit must follow "-""#),
        ("True", "line 1, column 1: True is not a JSON value"),
        ("nullnull", "line 1, column 1: nullnull is not a JSON value"),
        ("[1e999]", "line 1, column 2: 1e999 is beyond what a number can hold, about 1.8e308"),
        ("-1e309", "line 1, column 1: -1e309 is beyond what a number can hold, about 1.8e308"),
        ("01", "line 1, column 1: a number must not start with 0 before other digits"),
        ("-01", "line 1, column 1: a number must not start with 0 before other digits"),
        ("+1", #"line 1, column 1: "+" stands where a value is needed"#),
        (".5", #"line 1, column 1: "." stands where a value is needed"#),
        ("1.", "line 1, column 3: a digit must follow the decimal point"),
        ("1.e3", "line 1, column 3: a digit must follow the decimal point"),
        ("1e", "line 1, column 3: a digit must follow the exponent's mark"),
        ("1e+", "line 1, column 4: a digit must follow the exponent's mark"),
        ("0x10", #"line 1, column 2: "x" stands where the end of the text is needed"#),
        ("[\"ab", "line 1, column 2: the string that starts here has no closing quote"),
        ("\"ab\\", "line 1, column 4: an unknown escape; allowed are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"),
        ("\"\\x\"", "line 1, column 2: an unknown escape; allowed are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"),
        ("\"a\tb\"", "line 1, column 3: a control character stands in a string; an escape such as \\n is needed"),
        ("\"\\u12g4\"", "line 1, column 2: four hexadecimal digits must follow \\u"),
        ("\"\\u12", "line 1, column 2: four hexadecimal digits must follow \\u"),
        ("\"\\ud800\"", "line 1, column 2: the escape is half a surrogate pair; its other half is needed"),
        ("\"\\ud800\\u0041\"", "line 1, column 2: the escape is half a surrogate pair; its other half is needed"),
        ("\"\\udc00\\ud800\"", "line 1, column 2: the escape is half a surrogate pair; its other half is needed"),
        ("\u{FEFF}{}", "line 1, column 1: the text starts with a byte order mark; UTF-8 without one is needed"),
        ("[\u{A0}]", "line 1, column 2: the byte 0xc2 stands where a value is needed"),
        ("\"é\nb\"", "line 1, column 3: a control character stands in a string; an escape such as \\n is needed"),
    ])
    func malformedTextIsRefusedWithItsPlace(text: String, expected: String) {
        #expect(sentence(Array(text.utf8)) == expected)
    }

    @Test(
        arguments: [
            ([0x22, 0x61, 0xFF, 0x22], "line 1, column 3: the byte 0xff is not valid UTF-8"),
            ([0x22, 0xC3, 0xA9, 0xC3, 0x22], "line 1, column 3: the byte 0xc3 is not valid UTF-8"),
            ([0x22, 0x5C, 0x6E, 0x80, 0x22], "line 1, column 4: the byte 0x80 is not valid UTF-8"),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], "line 1, column 2: the byte 0xed is not valid UTF-8"),
            ([0x22, 0xC0, 0xAF, 0x22], "line 1, column 2: the byte 0xc0 is not valid UTF-8"),
            ([0xFF, 0xFE, 0x7B, 0x00], "line 1, column 1: the byte 0xff stands where a value is needed"),
        ] as [([UInt8], String)])
    func invalidUTF8IsRefusedWithItsPlace(bytes: [UInt8], expected: String) {
        #expect(sentence(bytes) == expected)
    }

    @Test(arguments: ["[", "{\"a\":"])
    func deepNestingIsRefusedWithoutExhaustingTheStack(opening: String) {
        let text = String(repeating: opening, count: 100_000)
        let column = 64 * opening.utf8.count + 1
        #expect(
            sentence(Array(text.utf8))
                == "line 1, column \(column): arrays and objects lie more than 64 deep in each other")
    }

    @Test func sixtyFourLevelsAreRead() throws {
        let text = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(try parse(text) != .null)
        #expect(throws: DocumentError.self) { try parse("[" + text + "]") }
    }

    /// Every cut and every changed byte of a text either reads as Foundation reads it, or is refused; nothing crashes.
    @Test func damagedTextNeverCrashesAndNeverReadsAsSomethingElse() throws {
        let text = Array(#"{"a": [1.5e3, -2, "\u00e9x", true], "b": {"c": null, "dé": "x\n"}}"#.utf8)
        var random = SplitMix64(seed: 7)
        for round in 0..<4000 {
            var bytes = text
            if round < text.count { bytes.removeLast(round) }
            if round >= text.count {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let value = try? JSONValue(parsing: bytes) else { continue }
            let theirs = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            let ours = try JSONSerialization.jsonObject(with: Data(value.line.utf8), options: .fragmentsAllowed)
            #expect((ours as? NSObject) == (theirs as? NSObject))
        }
    }

    /// Five times the text takes about five times as long, not twenty-five; and a megabyte is no matter.
    @Test func timeGrowsLinearlyWithTheText() throws {
        func trace(_ samples: Int) -> [UInt8] {
            let lines = (0..<samples).map { #"{"t": \#($0).25, "x": 103.40625, "y": 77.5, "phase": "moved"}"# }
            return Array("[\(lines.joined(separator: ",\n"))]".utf8)
        }
        func time(_ bytes: [UInt8]) throws -> Duration {
            try (0..<3).map { _ in try ContinuousClock().measure { _ = try JSONValue(parsing: bytes) } }.min() ?? .zero
        }
        let (small, large) = (trace(4_000), trace(20_000))
        #expect(large.count > 1_000_000)
        let (quick, slow) = (try time(small), try time(large))
        // A ratio of short times needs the machine to itself.
        if getenv("LOUPE_TIMING_TESTS") != nil { #expect(slow < quick * 15) }
        #expect(slow < .seconds(20))
    }

    @Test func anObjectOfManyKeysTakesLinearTimeAndStillFindsDuplicates() throws {
        let members = (0..<100_000).map { "\"k\($0)\":0" }.joined(separator: ",")
        let duration = try ContinuousClock().measure { _ = try parse("{\(members)}") }
        #expect(duration < .seconds(20))
        #expect(sentence(Array("{\(members),\"k5\":0}".utf8)).hasSuffix(#"the key "k5" occurs twice in one object"#))
    }
}
