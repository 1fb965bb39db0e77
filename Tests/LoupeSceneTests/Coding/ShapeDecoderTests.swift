import Glibc
import LoupeBase
import Testing

import func Glibc.cos
import func Glibc.pow
import func Glibc.sin
import func Glibc.tan

@testable import LoupeScene

/// Named corners, corners that differ, shaped and split loupes: what they become, and how they are refused.
@Suite struct ShapeDecoderTests {
    private let decoder = SceneDecoder { _ in ImageSize(width: 100, height: 80) }

    private func corner(_ members: String) throws -> Corner {
        try decoder.decode(Array(#"{"layers": [{"image": "page.png", "corner": {\#(members)}}]}"#.utf8)).layers[0]
            .corner
    }

    @Test(arguments: [
        (#""radius": 20, "css": 2"#, 20.0, 4.0), (#""radius": 20, "css": 0"#, 20, 1),
        (#""radius": 20, "css": 5"#, 20, 32),
        (#""radius": 20, "style": "round""#, 20, 2), (#""radius": 20, "style": "squircle""#, 20, 4),
        (#""radius": 20, "style": "bevel""#, 20, 1), (#""radius": 20, "style": "ios""#, 30.5733, 3.35),
        (#""radius": 20, "figma": 0"#, 20, 2),
    ])
    func names(members: String, radius: Double, exponent: Double) throws {
        let corner = try corner(members)
        #expect(abs(corner.radius - radius) < 1e-9 && corner.exponent == exponent)
        #expect(corner.radii.uniform != nil)
    }

    @Test(
        "A squircle that keeps a round corner's diagonal is 1.841 times as large",
        arguments: [
            ("\"css\": 2", 4.0), ("\"exponent\": 7", 7), ("\"style\": \"bevel\"", 1), ("\"style\": \"round\"", 2),
        ])
    func diagonals(shape: String, exponent: Double) throws {
        let corner = try corner(#""radius": 10, "keep": "diagonal", \#(shape)"#)
        #expect(corner.exponent == exponent)
        let inset = corner.radius * (1 - pow(2, -1 / exponent))
        #expect(abs(inset - 10 * (1 - 0.5.squareRoot())) < 1e-12)
        if exponent == 4 { #expect(abs(corner.radius / 10 - 1.841) < 0.0005) }
    }

    @Test func aDiagonalThatHasNoRoomStopsAtHalfTheShorterSide() throws {
        #expect(try corner(#""radius": 38, "keep": "diagonal", "css": 2"#) == Corner(radius: 40, exponent: 4))
    }

    @Test(
        "Where a smooth corner has no room it becomes rounder, and at half the side round",
        arguments: [
            #""style": "ios""#, #""figma": 1"#, #""figma": 0.6"#,
        ])
    func smoothCornersWithoutRoom(shape: String) throws {
        let half = try corner(#""radius": 40, \#(shape)"#)
        #expect(half.radius == 40 && abs(half.exponent - 2) < 0.1)
        let tight = try corner(#""radius": 35, \#(shape)"#)
        let free = try corner(#""radius": 10, \#(shape)"#)
        #expect(tight.radius <= 40 && tight.exponent > half.exponent && tight.exponent <= free.exponent)
    }

    @Test("A smooth corner follows the arc and cubics that it stands for", arguments: [0.1, 0.35, 0.6, 0.83, 1])
    func smoothCorners(smoothing: Double) throws {
        let radius = 10.0
        let corner = try corner(#""radius": 10, "figma": \#(smoothing)"#)
        let outline = Outline(
            rect: Rect(x: 0, y: 0, width: 100, height: 80), radii: corner.radii, exponent: corner.exponent)
        for point in Self.smoothed(smoothing) {
            let place = Point(x: radius * point.x, y: radius * point.y)
            #expect(abs(outline.signedDistance(to: place)) < 0.0046 * radius, "\(point)")
        }
    }

    /// From the edge to the diagonal, the corner's point at (0, 0), for a radius of 1.
    private static func smoothed(_ s: Double) -> [Point] {
        let turn = Double.pi / 4 * s
        let arc = Double.pi / 4 - turn
        let (c, d) = (tan(turn / 2) * cos(turn), tan(turn / 2) * sin(turn))
        let b = (1 + s - 2.0.squareRoot() * sin(arc) - c - d) / 3
        let (p, q, r) = (1 + s, 1 + s - 2 * b, 1 + s - 3 * b)
        let cubic = (0...50).map { step in
            let t = Double(step) / 50
            let u = 1 - t
            return Point(
                x: u * u * u * p + 3 * t * u * u * q + 3 * t * t * u * r + t * t * t * (r - c), y: t * t * t * d)
        }
        return cubic
            + (0...50).map { step in
                let angle = turn + Double(step) / 50 * arc
                return Point(x: 1 - sin(angle), y: 1 - cos(angle))
            }
    }

    @Test func radiiOfTwoAxesAndOfEachCorner() throws {
        #expect(try corner(#""radius": [50, 10]"#).radii == CornerRadii(CornerRadius(x: 50, y: 10)))
        #expect(try corner(#""radius": [50, 0]"#).radii == CornerRadii(0))
        let each = try corner(#""radii": {"topLeft": 70, "bottomRight": [30, 80]}"#).radii
        #expect(each[.topLeft] == CornerRadius(70) && each[.bottomRight] == CornerRadius(x: 30, y: 80))
        #expect(each[.topRight] == .zero && each[.bottomLeft] == .zero)
        #expect(try corner(#""radii": {"topLeft": 7, "topRight": 7, "bottomRight": 7, "bottomLeft": 7}"#).radius == 7)
    }

    @Test(arguments: [
        (#""keep": true"#, "keep: true is a boolean; one of diagonal is needed"),
        (#""radius": [51, 4]"#, "radius[0]: 51 is out of range; allowed is 0…50, half the rect's width of 100"),
        (#""radius": [5, 41]"#, "radius[1]: 41 is out of range; allowed is 0…40, half the rect's height of 80"),
        (#""radii": {"topLeft": 81}"#, "radii.topLeft: 81 is out of range; allowed is 0…80, the rect's shorter side"),
        (#""radii": {"topLeft": [-1, 2]}"#, "radii.topLeft[0]: -1 is out of range; allowed is 0…100, the rect's width"),
        (
            #""radii": {"topLeft": [60, 5], "topRight": [41, 5]}"#,
            "radii: topLeft and topRight together reach 60 + 41; allowed is up to the rect's width of 100"
        ),
        (
            #""radii": {"topRight": 50, "bottomRight": 31}"#,
            "radii: topRight and bottomRight together reach 50 + 31; allowed is up to the rect's height of 80"
        ),
    ])
    func corners(members: String, expected: String) {
        #expect(
            decoder.sentence(#"{"layers": [{"image": "page.png", "corner": {\#(members)}}]}"#)
                == "layers[0].corner.\(expected)"
        )
    }

    @Test(arguments: [
        (#""css": 2, "exponent": 4"#, "it has exponent and css; only one of exponent, css, style and figma is allowed"),
        (#""radius": 3, "radii": {}"#, "it has both radius and radii; only one of them is allowed"),
        (#""radius": [3, 4], "figma": 0.6"#, "figma takes one radius for all corners, a single number"),
        (#""radii": {"topLeft": 4}, "style": "ios""#, "style ios takes one radius for all corners, a single number"),
    ])
    func wholeCorners(members: String, expected: String) {
        #expect(
            decoder.sentence(#"{"layers": [{"image": "page.png", "corner": {\#(members)}}]}"#)
                == "layers[0].corner: \(expected)")
    }

    @Test func aSmoothCornerCannotKeepADiagonal() {
        let text = #"{"layers": [{"image": "page.png", "corner": {"radius": 4, "figma": 0.6, "keep": "diagonal"}}]}"#
        #expect(
            decoder.sentence(text)
                == "layers[0].corner.keep: only with exponent, css or the styles round, squircle and bevel; "
                + "figma keeps it itself")
    }

    @Test(arguments: [
        (#""radius": 5, "shape": {"size": [9, 9]}"#, ": it has both radius and shape; only one of them is allowed"),
        (#""shape": {"radius": 3}"#, #".shape.size: missing; the object has "radius""#),
        (
            #""shape": {"size": [9, 6], "radius": 4}"#,
            ".shape.radius: 4 is out of range; allowed is 0…3, half the shape's shorter side of 6"
        ),
        (
            #""shape": {"size": [9, 6]}, "rim": {"width": 4}"#,
            ".rim.width: 4 is out of range; allowed is 0…3, half the loupe's shorter side"
        ),
    ])
    func shapedLoupes(members: String, expected: String) {
        let text = #"{"layers": [{"image": "page.png"}], "loupes": [{"center": [4, 4], "zoom": 2, \#(members)}]}"#
        #expect(decoder.sentence(text) == "loupes[0]\(expected)")
    }

    @Test func aSplitLoupeNeedsAnImageToReplace() {
        let text = """
            {"canvas": {"width": 9, "height": 9}, "layers": [{"fill": "#fff", "rect": [0, 0, 9, 9]}],
             "loupes": [{"center": [4, 4], "radius": 3, "zoom": 2, "versus": "after.png"}]}
            """
        #expect(decoder.sentence(text) == "loupes[0].versus: no layer shows an image whose place it could take")
    }

    @Test func shapedLoupesAreReadAsTheyAreWritten() throws {
        let text = """
            {"layers": [{"image": "page.png"}], "loupes": [{"center": [4, 4], "zoom": 2,
             "shape": {"size": [60, 40], "radius": [30, 10], "style": "round"}, "versus": "after.png"}]}
            """
        let loupe = try decoder.decode(Array(text.utf8)).loupes[0]
        let corner = Corner(radii: CornerRadii(CornerRadius(x: 30, y: 10)), exponent: 2)
        #expect(loupe.shape == .rectangle(.init(width: 60, height: 40, corner: corner)))
        #expect(loupe.split == .init(image: "after.png", angle: 0, divider: nil))
    }
}
