import Foundation
import TestSupport
import Testing

@testable import LoupeBase
@testable import LoupeScene

/// JSON text for people, read back by our own reader and by Foundation's.
@Suite struct JSONWriterTests {
    @Test(arguments: [
        (0.0, "0"), (-0.0, "-0"), (900.0, "900"), (2.5, "2.5"), (0.1, "0.1"), (1.0 / 3, "0.3333333333333333"),
        (-1e6, "-1000000"), (1e-7, "1e-07"), (1e300, "1e+300"), (.nan, "null"), (.infinity, "null"),
    ])
    func numbersHaveTheFewestDigits(number: Double, text: String) {
        #expect(JSONValue.number(number).text() == text)
    }

    @Test func everyNumberReadsBackExactly() throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<10_000 {
            let number = Double(bitPattern: random.next())
            guard number.isFinite else { continue }
            let text = JSONValue.number(number).text()
            #expect(try JSONValue(parsing: Array(text.utf8)) == .number(number))
        }
    }

    @Test func everyScalarReadsBackAndFoundationReadsItAlike() throws {
        let scalars = (0...0x2FFF).compactMap(Unicode.Scalar.init) + ["\u{FEFF}", "\u{FFFF}", "😀", "\u{10FFFF}"]
        for scalar in scalars {
            let string = "a\(scalar)b"
            let text = JSONValue.string(string).text()
            let read = try JSONValue(parsing: Array(text.utf8))
            #expect(read == .string(string))
            let theirs = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            #expect(theirs as? String == string)
        }
    }

    @Test func whatFitsOnALineStaysOnOne() {
        let value: JSONValue = ["rect": [.number(1), .number(2)], "corner": ["radius": .number(3)], "empty": []]
        #expect(value.text(lineWidth: 60) == #"{"rect": [1, 2], "corner": {"radius": 3}, "empty": []}"#)
        #expect(
            value.text(lineWidth: 20) == """
                {
                  "rect": [1, 2],
                  "corner": {
                    "radius": 3
                  },
                  "empty": []
                }
                """)
    }

    @Test func absentValuesAreLeftOut() {
        let value: JSONValue = ["a": nil, "b": .bool(true)]
        #expect(value.text() == #"{"b": true}"#)
    }
}
