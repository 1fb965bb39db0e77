import Foundation
import LoupeScene
import Testing

/// Colours by name, and as they are seen.
@Suite struct ColorTests {
    @Test(arguments: [
        ("red", "#ff0000"), ("RebeccaPurple", "#663399"), ("aliceblue", "#f0f8ff"), ("yellowgreen", "#9acd32"),
        ("lightgoldenrodyellow", "#fafad2"), ("grey", "#808080"), ("gray", "#808080"), ("transparent", "#00000000"),
        ("#1a2B3c", "#1a2b3c"), ("#0008", "#00000088"), ("#abc", "#aabbcc"), ("#01ab9f00", "#01ab9f00"),
    ])
    func namesOfCSSAreColours(text: String, hex: String) {
        #expect(Color(text: text)?.hex == hex)
    }

    @Test(arguments: ["", "red-ish", "redd", "re", "light blue", "ff0000", "#ff000", "zzz", "currentcolor", "aaaa"])
    func whatNamesNoColourIsRefused(text: String) {
        #expect(Color(text: text) == nil)
    }

    /// By the matrices of the paper, through CIE XYZ.
    private static func lab(_ color: Color) -> [Double] {
        func light(_ channel: UInt8) -> Double {
            let c = Double(channel) / 255
            return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4)
        }
        func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
            matrix.map { zip($0, vector).map(*).reduce(0, +) }
        }
        let xyz = product(
            [
                [0.4123907993, 0.3575843394, 0.1804807884], [0.2126390059, 0.7151686788, 0.0721923154],
                [0.0193308187, 0.1191947798, 0.9505321522],
            ], [light(color.red), light(color.green), light(color.blue)])
        let cones = product(
            [
                [0.8189330101, 0.3618667424, -0.1288597137], [0.0329845436, 0.9293118715, 0.0361456387],
                [0.0482003018, 0.2643662691, 0.6338517070],
            ], xyz)
        return product(
            [
                [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
                [0.0259040371, 0.7827717662, -0.8086757660],
            ], cones.map(cbrt))
    }

    @Test(arguments: ["white", "black", "red", "lime", "blue", "#e5484d", "#30363d", "#808080", "gold"])
    func okLabIsThatOfThePaper(text: String) throws {
        let color = try #require(Color(text: text))
        let (found, expected) = (OKLab(color), Self.lab(color))
        #expect(abs(found.lightness - expected[0]) < 1e-3)
        #expect(abs(found.a - expected[1]) < 1e-3)
        #expect(abs(found.b - expected[2]) < 1e-3)
    }

    @Test func contrastIsTheLargerOfTwoDistances() throws {
        let (white, black, red) = try (
            #require(Color(text: "white")), #require(Color(text: "black")), #require(Color(text: "red"))
        )
        #expect(abs(OKLab(white).contrast(to: OKLab(black)) - 1) < 1e-3)
        // Red has a lightness of 0.628 and a chroma of 0.258.
        #expect(abs(OKLab(red).contrast(to: OKLab(white)) - 0.372) < 1e-3)
        #expect(abs(OKLab(red).contrast(to: OKLab(Color(red: 136, green: 136, blue: 136))) - 0.258) < 2e-3)
    }
}
