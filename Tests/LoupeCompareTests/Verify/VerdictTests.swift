import LoupeBase
import LoupeCompare
import LoupeImaging
import LoupeOracle
import LoupeScene
import Testing

@testable import LoupeCompare

/// Each sentence about a scene's picture, with a fault that makes it true and faults of which nothing is said.
@Suite struct VerdictTests {
    private static let black = Color(red: 0, green: 0, blue: 0)

    /// A loupe over bars on a plain ground.
    private static let bars: Scene = {
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

    /// A page with round corners, and a loupe with a hairline at the page's edge.
    private static let page = Scene(
        canvas: .init(width: 120, height: 90),
        layers: [
            Layer(
                content: .fill(Color(red: 250, green: 246, blue: 238)),
                rect: Rect(x: 8.3, y: 7.6, width: 96, height: 72), corner: Corner(radius: 14, exponent: 2)),
            Layer(
                content: .fill(Color(red: 190, green: 40, blue: 30)), rect: Rect(x: 16, y: 14, width: 18, height: 12)),
        ],
        loupes: [
            Loupe(
                center: Point(x: 88, y: 58), radius: 19, zoom: 2.5, focus: Point(x: 50, y: 32),
                rim: .init(
                    width: 3, color: Color(red: 96, green: 96, blue: 96),
                    casing: Casing(width: 1, color: Color(red: 255, green: 255, blue: 255))))
        ])

    /// What is said of a picture of another scene.
    private func said(of scene: Scene, _ change: (inout Scene) -> Void) throws -> String {
        var changed = scene
        change(&changed)
        return try said(scene, Oracle().render(scene), Oracle().render(changed))
    }

    private func said(_ scene: Scene, _ reference: Image, _ actual: Image) throws -> String {
        let verdict = try Verdict(CaseLimits(for: scene), scene: scene, reference: reference, actual: actual)
        #expect(!verdict.isMet)
        if let change = verdict.change { #expect(verdict.message.hasPrefix("differs: \(change); ")) }
        return verdict.change?.description ?? ""
    }

    @Test func whatIsNotSureIsNotSaid() throws {
        let faults: [(inout Scene) -> Void] = [
            { $0.loupes[0].rim?.casing = nil }, { $0.loupes.removeAll() }, { $0.loupes[0].rim = nil },
            { $0.loupes[0].rim?.color = Color(red: 96, green: 104, blue: 140) },
            { $0.layers[1].rect.x -= 5 },
        ]
        for (index, fault) in faults.enumerated() { #expect(try said(of: Self.page, fault) == "", "fault \(index)") }
        // A spot beside the loupe says nothing about it.
        let reference = try Oracle().render(Self.bars)
        #expect(try said(Self.bars, reference, reference.spotted) == "")
    }

    /// Also a metric that counts other pixels than those that changed, or judges a mean.
    @Test func theWholePictureIsShifted() throws {
        let reference = try Oracle().render(Self.bars)
        let sentence = "the picture is shifted by (0, 1) px"
        #expect(try said(Self.bars, reference, reference.movedDown) == sentence)
        for metric in [ErrorMetric.flip(pixelsPerDegree: 67), .ssim(.luma), .oklab] {
            let limits = CaseLimits(Comparison(metric: .error(metric, ErrorLimits(threshold: nil, mean: 1e-6))))
            let verdict = try Verdict(limits, scene: Self.bars, reference: reference, actual: reference.movedDown)
            #expect(verdict.change?.description == sentence)
        }
    }
}

extension Image {
    /// The picture with other colours in a block.
    fileprivate var spotted: Image {
        var image = self
        for y in 70..<80 {
            for x in 2..<14 {
                let start = (y * width + x) * 4
                image.pixels.replaceSubrange(start..<start + 3, with: [UInt8(17 * (x - 2)), UInt8(25 * (y - 70)), 0])
            }
        }
        return image
    }

    /// The picture one pixel further down, over its own first row.
    fileprivate var movedDown: Image {
        Image(
            width: width, height: height, pixels: Array(pixels[..<(width * 4)] + pixels[..<(width * (height - 1) * 4)]))
    }
}
