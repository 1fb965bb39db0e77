import LoupeBase
import LoupeImaging
import LoupeOracle
import LoupeScene
import Testing

private let white: [UInt8] = [255, 255, 255, 255]
private let black: [UInt8] = [0, 0, 0, 255]
private let red: [UInt8] = [255, 0, 0, 255]
/// Red that covers two fifths of white.
private let rose: [UInt8] = [255, 153, 153, 255]

extension Color {
    fileprivate static let red = CompositionTests.red
    fileprivate static let black = CompositionTests.black
    fileprivate static let faintRed = Color(red: 255, green: 0, blue: 0, alpha: 102)
}

extension Scene {
    /// That pixels have these colours, as the oracle draws the scene.
    fileprivate func expect(
        _ pixels: (x: Int, y: Int, color: [UInt8])..., images: [ImagePath: Image] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let image = try Oracle().render(self, images: images)
        for (x, y, color) in pixels {
            #expect(image.pixel(x, y) == color, "at \(x), \(y)", sourceLocation: sourceLocation)
        }
    }
}

/// Single pixels of callouts, grids and marks whose value can be written down from what they mean.
@Suite struct CalloutTests {
    /// A loupe of radius 20 at (70, 30) that shows 10 pixels around (20, 30), on white.
    private func scene(_ callout: Callout, outside: Outside = .background) -> Scene {
        let loupe = Loupe(
            center: Point(x: 70, y: 30), radius: 20, zoom: 2, focus: Point(x: 20, y: 30), callout: callout,
            outside: outside)
        return CompositionTests.scene(CompositionTests.white, [], [loupe], side: 100)
    }

    /// The same with a loupe of 40×20, which shows 20×10 pixels.
    private func shaped(_ callout: Callout, radius: Double = 0, exponent: Double = 4) -> Scene {
        var scene = scene(callout)
        let corner = Corner(radius: radius, exponent: exponent)
        scene.loupes[0].shape = .rectangle(.init(width: 40, height: 20, corner: corner))
        return scene
    }

    @Test func theRingBeginsWhereTheSourceEnds() throws {
        // Centres at 8.51, 11.51, 12.51 and 14.51 pixels from the focus; the ring reaches from 10 to 14.
        try scene(Callout(ring: .init(width: 4, color: .red)))
            .expect((11, 29, white), (8, 29, red), (7, 29, red), (5, 29, white))
    }

    @Test func aConeLeavesTheSourceFreeAndEndsAtItsTangents() throws {
        let cone = Callout(connector: Connector(.cone, color: .red))
        // In the source, and behind it.
        try scene(cone).expect((25, 30, white), (40, 30, red), (8, 30, white))
        // The tangents' angle to the axis has the sine 10/50: at x = 40.5 they are 14.4 from the axis.
        try scene(cone).expect((40, 16, red), (40, 14, white))
        // A rectangle's borders run from (-30, 30), which the zoom leaves alone, along (10, 25) to (50, 20).
        try shaped(cone).expect((25, 30, white), (8, 30, white), (40, 24, red), (40, 20, white))
    }

    @Test func anArrowPointsAtTheSource() throws {
        let arrow = Callout(connector: Connector(.arrow(width: 4), color: .red))
        for scene in [scene(arrow), shaped(arrow)] {
            // Its head reaches from 30 to 46, where it is 16 high; its shaft is 4 high.
            try scene.expect((44, 35, red), (34, 35, white), (48, 31, red), (48, 35, white))
        }
    }

    @Test func aLeaderRunsThroughTheRingsCasing() throws {
        let casing = Casing(width: 3, color: .black)
        let callout = Callout(
            ring: .init(width: 4, color: .red, casing: casing),
            connector: Connector(.leader(width: 4), color: .faintRed, casing: casing))
        // The source's radius is 10: casing to 33, ring to 37, casing to 40; the leader lies 2 about y = 30.
        try scene(callout).expect(
            (25, 30, white), (31, 30, black), (35, 30, red), (38, 31, rose), (44, 31, rose), (44, 33, black),
            (44, 36, white))
    }

    @Test func ringAndConnectorAreOneShape() throws {
        // The cone covers all of the ring's front half; its coverage and the ring's are 1 at (33, 30).
        try scene(Callout(ring: .init(width: 6, color: .faintRed), connector: Connector(.cone, color: .faintRed)))
            .expect((40, 30, rose), (33, 30, rose))
    }

    @Test func casingsLieOnBothSidesOfARingAndLeaveTheSourceFree() throws {
        let casing = Casing(width: 3, color: .black)
        // The source's radius is 10: casing to 13, ring to 17, casing to 20.
        try scene(Callout(ring: .init(width: 4, color: .red, casing: casing))).expect(
            (28, 29, white), (31, 29, black), (34, 29, red), (35, 29, red), (38, 29, black), (41, 29, white))
    }

    @Test func theCasingOfATranslucentColourIsNotSeenThroughIt() throws {
        let connector = Connector(.arrow(width: 6), color: .faintRed, casing: Casing(width: 3, color: .black))
        // The room is 20, so the arrow's width is 5. At x = 45.5 its head reaches up to 22.25, its casing 3.4 farther.
        try scene(Callout(connector: connector)).expect((48, 30, rose), (45, 20, black))
    }

    @Test func theCasingOfARimLiesAroundTheLoupe() throws {
        var scene = scene(Callout())
        scene.loupes[0].callout = nil
        scene.loupes[0].rim = .init(width: 2, color: .red, casing: Casing(width: 3, color: .black))
        // The loupe's right end is at x = 90.
        try scene.expect((88, 29, red), (91, 29, black), (94, 29, white))
        scene.loupes[0].outside = .transparent
        try scene.expect((91, 29, black))
    }

    @Test func aCalloutLiesAboveItsLoupesShadowButTheShadowFallsOnEarlierDiscs() throws {
        var scene = scene(Callout(connector: Connector(.cone, color: .red)))
        scene.loupes[0].shadow = .init(offset: .zero, blur: 60, color: .black)
        try scene.expect((48, 30, red))
        #expect(try scene.rendered(48, 60)[0] < 230)
        scene.loupes.insert(Loupe(center: Point(x: 42, y: 30), radius: 5, zoom: 2, focus: Point(x: 90, y: 90)), at: 0)
        let shaded = try scene.rendered(42, 30)
        #expect(shaded[0] < 230 && shaded[0] == shaded[1])
    }

    @Test func nothingOfACalloutIsSeenThroughItsLoupe() throws {
        let callout = Callout(ring: .init(width: 30, color: .red), connector: Connector(.cone, color: .red))
        for var scene in [scene(callout), shaped(callout)] {
            try scene.expect((54, 30, white), (60, 30, white), (70, 30, white), (80, 30, white))
            scene.loupes[0].outside = .transparent
            try scene.expect((46, 30, red), (54, 30, white), (60, 30, white), (70, 30, white), (80, 30, white))
        }
    }

    @Test func anotherLoupeCoversIt() throws {
        var scene = scene(Callout(connector: Connector(.cone, color: .red)))
        scene.loupes.insert(Loupe(center: Point(x: 40, y: 30), radius: 5, zoom: 2, focus: Point(x: 90, y: 90)), at: 0)
        try scene.expect((40, 30, white), (40, 38, red))
    }

    @Test func beyondTheLayersATransparentLoupeShowsWhatLiesUnderIt() throws {
        var scene = scene(Callout(), outside: .transparent)
        scene.layers = [
            Layer(content: .fill(.black), rect: Rect(x: 0, y: 0, width: 10, height: 100)),
            Layer(content: .fill(.red), rect: Rect(x: 60, y: 0, width: 40, height: 100)),
        ]
        // What the loupe shows is white beyond x = 10, which is at the loupe's x = 50: nothing but what lies there.
        try scene.expect((55, 30, white), (65, 30, red))
        scene.loupes[0].outside = .background
        try scene.expect((65, 30, white))
    }

    // MARK: - Rings and lines of a rectangle

    @Test func theRingIsAsWideEverywhereByDistance() throws {
        let scene = shaped(Callout(ring: .init(width: 4, color: .red)))
        // The source reaches from 10 to 30 and from 25 to 35.
        try scene.expect((10, 25, white), (9, 30, red), (6, 30, red), (5, 30, white))
        try scene.expect((20, 24, red), (20, 21, red), (20, 20, white))
        // Centres at 2.92 and 4.95 pixels from the corner.
        try scene.expect((8, 22, red), (6, 21, white))
    }

    @Test func theRingFollowsTheCornersOfTheSource() throws {
        // A bevel from (10, 30) to (15, 25): the pixel lies 5.66 pixels outside of it, and 2.12 outside of a sharp corner.
        try shaped(Callout(ring: .init(width: 4, color: .red)), radius: 10, exponent: 1)
            .expect((8, 23, white), (11, 26, red))
    }

    @Test func linesRunFromTheRingToTheLoupe() throws {
        let lines = Connector(.lines(width: 3), color: .red)
        // The upper one touches the ring's round corner about (10, 25) and the loupe's at (50, 20): at x = 40.5 it is at 20.7.
        try shaped(Callout(ring: .init(width: 2, color: CompositionTests.white), connector: lines))
            .expect((40, 22, red), (40, 18, white), (40, 26, white), (40, 37, red))
    }

    // MARK: - Grids and marks

    /// Texels of 20 pixels: (0, 0) black, its neighbours white.
    private func texels(_ adorn: (inout Loupe) -> Void) -> Scene {
        var loupe = Loupe(
            center: Point(x: 50, y: 50), radius: 40, zoom: 20, focus: Point(x: 0.5, y: 0.5), filter: .nearest)
        adorn(&loupe)
        let layer = Layer(content: .image(path: "page.png"), rect: Rect(x: 0, y: 0, width: 3, height: 3))
        return CompositionTests.scene(CompositionTests.white, [layer], [loupe], side: 100)
    }

    private let page: [ImagePath: Image] = [
        "page.png": Image(width: 3, height: 3, pixels: black + [UInt8](repeating: 255, count: 8 * 4))
    ]

    @Test func gridLinesLieOnTheBordersOfTexels() throws {
        let line: [UInt8] = [254, 0, 0, 255]
        let scene = texels { $0.grid = TexelGrid(color: Color(red: 254, green: 0, blue: 0)) }
        // The borders of texel 0 are at 40 and 60: the first pixels of texels 0 and 1.
        try scene.expect(
            (39, 50, white), (40, 50, line), (41, 50, black), (50, 50, black), (59, 50, black), (60, 50, line),
            (61, 50, white), images: page)
        // Above the page there are no lines.
        try scene.expect((50, 20, white), images: page)
    }

    @Test func theMarkFramesTheTexelAtTheFocus() throws {
        try texels { $0.mark = TexelMark(width: 2, color: .red) }.expect(
            (59, 50, black), (60, 50, red), (61, 61, red), (62, 50, white), (39, 39, red), images: page)
    }

    /// The lines of the texel's own borders, at 40 and at 60, are under the frame.
    @Test func theMarkBeginsWithTheLinesOfTheGrid() throws {
        let scene = texels {
            $0.grid = TexelGrid(color: Color(red: 0, green: 0, blue: 200))
            $0.mark = TexelMark(width: 2, color: .red)
        }
        try scene.expect(
            (38, 50, white), (39, 50, red), (40, 50, red), (41, 50, black), (59, 50, black), (60, 50, red),
            (61, 50, red), (62, 50, white), (80, 50, [0, 0, 200, 255]), images: page)
    }
}
