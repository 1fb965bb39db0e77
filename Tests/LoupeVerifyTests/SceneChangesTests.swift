import LoupeDiff
import LoupeGeometry
import LoupeImaging
import LoupeOracle
import LoupeScene
import Testing

@testable import LoupeVerify

/// Each sentence about a scene's picture, with a fault that makes it true and faults that make it false: what is said has to be
/// the sentence of its fault, word for word, so every fault is a false case of all other sentences.
@Suite struct SceneChangesTests {
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

    /// A page with round corners and ink on it, a smaller one, and a loupe with a hairline at the page's edge.
    private static let page: Scene = {
        let ink = Stroke(
            points: [Point(x: 20, y: 60), Point(x: 44, y: 22), Point(x: 66, y: 52)], width: 3,
            color: Color(red: 30, green: 60, blue: 160))
        return Scene(
            canvas: .init(width: 120, height: 90),
            layers: [
                Layer(
                    content: .fill(Color(red: 250, green: 246, blue: 238)),
                    rect: Rect(x: 8.3, y: 7.6, width: 96, height: 72), corner: Corner(radius: 14, exponent: 2),
                    strokes: [ink]),
                Layer(
                    content: .fill(Color(red: 190, green: 40, blue: 30)),
                    rect: Rect(x: 16, y: 14, width: 18, height: 12)
                ),
            ],
            loupes: [
                Loupe(
                    center: Point(x: 88, y: 58), radius: 19, zoom: 2.5, focus: Point(x: 50, y: 32),
                    rim: .init(
                        width: 3, color: Color(red: 96, green: 96, blue: 96),
                        casing: Casing(width: 1, color: Color(red: 255, green: 255, blue: 255))))
            ])
    }()

    private func verdict(_ scene: Scene, _ reference: Image, _ actual: Image) throws -> Verdict {
        let verdict = try Verdict(CaseLimits(for: scene), scene: scene, reference: reference, actual: actual)
        #expect(!verdict.isMet)
        if let first = verdict.changes.first { #expect(verdict.message.hasPrefix("differs: \(first); ")) }
        return verdict
    }

    /// What is said of a picture of another scene. Numbers are rounded to a twentieth.
    private func said(of scene: Scene, _ change: (inout Scene) -> Void) throws -> String {
        var changed = scene
        change(&changed)
        return try said(scene, Oracle().render(scene), Oracle().render(changed))
    }

    private func said(_ scene: Scene, _ reference: Image, _ actual: Image) throws -> String {
        try verdict(scene, reference, actual).changes.map { change in
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

    private func expect(_ scene: Scene, _ sentence: String, _ change: (inout Scene) -> Void) throws {
        let said = try said(of: scene, change)
        #expect(said == sentence)
    }

    // MARK: - Loupes

    @Test(arguments: [-0.4, -1, 0.25, 0.7])
    func aRimIsTooFarInOrOut(pixels: Double) throws {
        let size = abs(pixels) == 1 ? "1" : "\(abs(pixels))"
        try expect(Self.bars, "the rim of loupe 1 is \(size) px too far \(pixels > 0 ? "out" : "in")") {
            $0.loupes[0].radius += pixels
        }
    }

    @Test func onlyTheRimsOuterEdgeIsElsewhere() throws {
        // The inner edge stays, so it is neither the whole rim nor its width.
        try expect(Self.bars, "the outer edge of the rim of loupe 1 is 0.4 px too far in") {
            $0.loupes[0].radius -= 0.4
            $0.loupes[0].rim?.width -= 0.4
        }
        try expect(Self.page, "the outer edge of the rim of loupe 1 is 0.25 px too far out") {
            $0.loupes[0].radius += 0.25
            $0.loupes[0].rim?.width += 0.25
        }
    }

    @Test func rimsHaveAWidthAColorAndAHairline() throws {
        try expect(Self.bars, "the rim of loupe 1 is 0.5 px too wide") { $0.loupes[0].rim?.width += 0.5 }
        try expect(Self.bars, "the rim of loupe 1 is 0.5 px too narrow") { $0.loupes[0].rim?.width -= 0.5 }
        try expect(Self.bars, "the rim of loupe 1 is missing") { $0.loupes[0].rim = nil }
        try expect(Self.page, "the rim of loupe 1 is drawn in #60688c, not #606060") {
            $0.loupes[0].rim?.color = Color(red: 96, green: 104, blue: 140)
        }
        // No pixel is more than 2 off, but too many are more than 1.
        try expect(Self.page, "the rim of loupe 1 is drawn in #626262, not #606060") {
            $0.loupes[0].rim?.color = Color(red: 98, green: 98, blue: 98)
        }
        try expect(Self.page, "the hairline of loupe 1 is missing") { $0.loupes[0].rim?.casing = nil }
    }

    @Test func loupesMoveMagnifyAndAreMissing() throws {
        try expect(Self.bars, "loupe 1 is shifted by (0.5, -0.25) px") {
            $0.loupes[0].center = Point(x: 55.5, y: 44.75)
        }
        try expect(Self.bars, "what loupe 1 shows is shifted by (0.75, 0) px") {
            $0.loupes[0].focus = Point(x: 54.75, y: 45)
        }
        try expect(Self.bars, "loupe 1 magnifies 3.05×, not 3×") { $0.loupes[0].zoom = 3.05 }
        try expect(Self.bars, "loupe 1 is missing") { $0.loupes.removeAll() }
        try expect(Self.page, "loupe 1 is missing") { $0.loupes.removeAll() }
    }

    @Test func shadowsBlurMoveAndAreMissing() throws {
        try expect(Self.bars, "the shadow of loupe 1 is blurred by 2 px too much") { $0.loupes[0].shadow?.blur = 8 }
        try expect(Self.bars, "the shadow of loupe 1 is blurred by 1 px too little") { $0.loupes[0].shadow?.blur = 5 }
        try expect(Self.bars, "the shadow of loupe 1 is shifted by (0, 1) px") {
            $0.loupes[0].shadow?.offset = Vector(dx: 0, dy: 3)
        }
        try expect(Self.bars, "the shadow of loupe 1 is missing") { $0.loupes[0].shadow = nil }
    }

    @Test func whatALoupeShowsCanDiffer() throws {
        let reference = try Oracle().render(Self.bars)
        var inside = reference
        for y in 40..<50 {
            for x in 48..<60 { inside[x, y] = [UInt8(17 * (x - 48)), UInt8(25 * (y - 40)), 0, 255] }
        }
        #expect(try verdict(Self.bars, reference, inside).changes == [.loupeContent(loupe: 0)])
        // The same beside the loupe says nothing about it.
        var outside = reference
        for y in 70..<80 {
            for x in 2..<14 { outside[x, y] = [UInt8(17 * (x - 2)), UInt8(25 * (y - 70)), 0, 255] }
        }
        #expect(try verdict(Self.bars, reference, outside).changes.isEmpty)
    }

    // MARK: - Layers

    @Test func layersMoveAndAreMissing() throws {
        try expect(Self.page, "layer 1 is shifted by (0.5, 0.25) px") { scene in
            let way = Vector(dx: 0.5, dy: 0.25)
            scene.layers[0].rect = Rect(x: 8.8, y: 7.85, width: 96, height: 72)
            scene.layers[0].strokes[0].points = scene.layers[0].strokes[0].points.map { $0 + way }
        }
        try expect(Self.page, "layer 2 is shifted by (-0.5, 0) px") { $0.layers[1].rect.x -= 0.5 }
        try expect(Self.page, "layer 2 is missing") { $0.layers.remove(at: 1) }
        try expect(Self.page, "layer 1 is missing") { $0.layers.remove(at: 0) }
    }

    @Test func layersHaveAnEdgeCornersAndAnOpacity() throws {
        try expect(Self.page, "the edge of layer 1 is 0.25 px too far out") {
            $0.layers[0].rect = Rect(x: 8.05, y: 7.35, width: 96.5, height: 72.5)
            $0.layers[0].corner = Corner(radius: 14.25, exponent: 2)
        }
        try expect(Self.page, "the corners of layer 1 are rounded by 1 px too much") {
            $0.layers[0].corner = Corner(radius: 15, exponent: 2)
        }
        try expect(Self.page, "the corners of layer 1 are rounded by 2 px too little") {
            $0.layers[0].corner = Corner(radius: 12, exponent: 2)
        }
        try expect(Self.page, "layer 1 has an opacity of 0.9, not 1") { $0.layers[0].opacity = 0.9 }
    }

    @Test func inkMovesAndIsMissing() throws {
        try expect(Self.page, "the ink on layer 1 is missing") { $0.layers[0].strokes = [] }
        try expect(Self.page, "the ink on layer 1 is shifted by (0.5, 0) px") { scene in
            scene.layers[0].strokes[0].points = scene.layers[0].strokes[0].points.map { $0 + Vector(dx: 0.5, dy: 0) }
        }
        // The ink stays where it is.
        try expect(Self.page, "layer 1 without its ink is shifted by (0.5, 0) px") { $0.layers[0].rect.x += 0.5 }
        // Another colour is none of these.
        try expect(Self.page, "") { $0.layers[0].strokes[0].color = Color(red: 200, green: 120, blue: 0) }
    }

    // MARK: - Together

    @Test func twoFaultsOfALoupeAreBothSaid() throws {
        let rim = "the rim of loupe 1 is 0.4 px too far in"
        try expect(Self.page, "\(rim); the rim of loupe 1 is drawn in #606874, not #606060") {
            $0.loupes[0].radius -= 0.4
            $0.loupes[0].rim?.color = Color(red: 96, green: 104, blue: 116)
        }
        try expect(Self.page, "\(rim); the hairline of loupe 1 is missing") {
            $0.loupes[0].radius -= 0.4
            $0.loupes[0].rim?.casing = nil
        }
        try expect(Self.bars, "the shadow of loupe 1 is missing; \(rim)") {
            $0.loupes[0].radius -= 0.4
            $0.loupes[0].shadow = nil
        }
        try expect(Self.bars, "the shadow of loupe 1 is shifted by (0, 1) px; loupe 1 magnifies 3.05×, not 3×") {
            $0.loupes[0].zoom = 3.05
            $0.loupes[0].shadow?.offset = Vector(dx: 0, dy: 3)
        }
        try expect(Self.page, "the hairline of loupe 1 is missing; the rim of loupe 1 is drawn in #606874, not #606060")
        {
            $0.loupes[0].rim?.casing = nil
            $0.loupes[0].rim?.color = Color(red: 96, green: 104, blue: 116)
        }
    }

    @Test func twoFaultsThatAreOneAreOneSentence() throws {
        // A border and a width that shrink together.
        try expect(Self.page, "the outer edge of the rim of loupe 1 is 0.4 px too far in") {
            $0.loupes[0].radius -= 0.4
            $0.loupes[0].rim?.width -= 0.4
        }
        // A hairline that is half as strong is none of the sentences, nor two of them.
        try expect(Self.page, "") {
            $0.loupes[0].rim?.casing?.color = Color(red: 255, green: 255, blue: 255, alpha: 128)
        }
    }

    private static let even = "colours differ evenly by 3: another colour profile?"

    @Test func anotherColorProfileHidesNoRim() throws {
        for scene in [Self.bars, Self.page] {
            let reference = try Oracle().render(scene)
            #expect(try said(scene, reference, reference.brighter) == Self.even)
            var changed = scene
            changed.loupes[0].radius -= 0.4
            let both = try said(scene, reference, Oracle().render(changed).brighter)
            #expect(both == "\(Self.even); the rim of loupe 1 is 0.4 px too far in")
            // The rim alone is no colour profile.
            #expect(try said(scene, reference, Oracle().render(changed)) == "the rim of loupe 1 is 0.4 px too far in")
        }
    }

    @Test func eachMetricTellsAnotherColorProfile() throws {
        let reference = try Oracle().render(Self.bars)
        for metric in [ErrorMetric.flip(pixelsPerDegree: 67), .ssim(.luma), .oklab] {
            let limits = CaseLimits(metric: .error(metric, ErrorLimits(threshold: 0.02, mean: 1e-6)))
            let verdict = try Verdict(limits, scene: Self.bars, reference: reference, actual: reference.brighter)
            #expect(verdict.changes.map(\.description) == [Self.even])
        }
    }

    @Test func anotherColorProfileHidesNoSpot() throws {
        let reference = try Oracle().render(Self.bars)
        // What nothing explains is counted.
        var spotted = reference.brighter
        for y in 70..<80 {
            for x in 2..<14 { spotted[x, y] = [UInt8(17 * (x - 2)), UInt8(25 * (y - 70)), 0, 255] }
        }
        #expect(try said(Self.bars, reference, spotted) == "\(Self.even); 120 pixels differ by something else")
    }

    @Test func aShiftHidesNoRim() throws {
        let reference = try Oracle().render(Self.bars)
        let shift = "the picture is shifted by (0, 1) px"
        #expect(try said(Self.bars, reference, reference.movedDown) == shift)
        var changed = Self.bars
        changed.loupes[0].radius -= 0.4
        let both = try said(Self.bars, reference, Oracle().render(changed).movedDown)
        #expect(both == "\(shift); the rim of loupe 1 is 0.4 px too far in")
    }

    @Test func aLoupeThatFillsThePictureIsNotThePicture() throws {
        var large = Self.bars
        large.loupes[0] = Loupe(
            center: Point(x: 55, y: 45), shape: .rectangle(.init(width: 100, height: 80)), zoom: 2,
            rim: .init(width: 3, color: Self.black))
        try expect(large, "what loupe 1 shows is shifted by (1, 0) px") {
            $0.loupes[0].focus = Point(x: 54.5, y: 45)
        }
    }

    @Test func aSceneThatChangedIsNotAFaultOfItsPicture() throws {
        var older = Self.page
        older.layers[1].rect.x -= 7
        older.loupes[0].zoom = 2
        let (reference, actual) = (try Oracle().render(older), try Oracle().render(Self.page))
        #expect(try verdict(Self.page, reference, actual).changes == [.outdatedReference])
        // The reference is as the scene describes it here, and the picture is another one.
        #expect(try !verdict(Self.page, actual, reference).changes.contains(.outdatedReference))
    }

    @Test func antialiasingIsNoEdgeElsewhere() throws {
        let reference = try Oracle().render(Self.page)
        let map = RegionMap(Self.page)
        var soft = reference
        for y in 1..<89 {
            for x in 1..<119 where [.pageEdge, .corner].contains(map.region(column: x, row: y)) {
                guard (x - 96) * (x - 96) + (y - 58) * (y - 58) > 900 else { continue }
                soft[x, y] = (0..<4).map { channel in
                    let near = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)].map {
                        Int(reference[x + $0.0, y + $0.1][channel])
                    }
                    return UInt8((near.reduce(0, +) + 2) / 5)
                }
            }
        }
        #expect(
            try said(Self.page, reference, soft)
                == "only anti-aliasing along the page's edge and the page's corners differs")
    }
}

extension Image {
    fileprivate subscript(x: Int, y: Int) -> [UInt8] {
        get { Array(pixels[(y * width + x) * 4..<(y * width + x) * 4 + 4]) }
        set { pixels.replaceSubrange((y * width + x) * 4..<(y * width + x) * 4 + 4, with: newValue) }
    }

    /// The picture with red, green and blue three steps higher, cut off at 255.
    fileprivate var brighter: Image {
        var image = self
        for index in image.pixels.indices where index % 4 != 3 {
            image.pixels[index] = UInt8(min(Int(image.pixels[index]) + 3, 255))
        }
        return image
    }

    /// The picture one pixel further down, over its own first row.
    fileprivate var movedDown: Image {
        Image(
            width: width, height: height, pixels: Array(pixels[..<(width * 4)] + pixels[..<(width * (height - 1) * 4)]))
    }
}
