import LoupeBase
import LoupeImaging
import LoupeOracle
import LoupeScene
import Testing

/// Single pixels of callouts, grids and marks whose value can be written down from what they mean.
@Suite struct CalloutTests {
    private static let white = CompositionTests.white
    private static let black = CompositionTests.black
    private static let red = CompositionTests.red

    /// A loupe of radius 20 at (70, 30) that shows 10 pixels around (20, 30), on white.
    private static func scene(_ callout: Callout, outside: Outside = .background) -> Scene {
        let loupe = Loupe(
            center: Point(x: 70, y: 30), radius: 20, zoom: 2, focus: Point(x: 20, y: 30), callout: callout,
            outside: outside)
        return CompositionTests.scene(Self.white, [], [loupe], side: 100)
    }

    private static func isRed(_ pixel: [UInt8]) -> Bool { pixel == [255, 0, 0, 255] }
    private static func isWhite(_ pixel: [UInt8]) -> Bool { pixel == [255, 255, 255, 255] }

    @Test func theRingBeginsWhereTheSourceEnds() throws {
        let scene = Self.scene(Callout(ring: .init(width: 4, color: Self.red)))
        // Centres at 8.51, 11.51, 12.51 and 14.51 pixels from the focus; the ring reaches from 10 to 14.
        #expect(Self.isWhite(try scene.rendered(11, 29)))
        #expect(Self.isRed(try scene.rendered(8, 29)))
        #expect(Self.isRed(try scene.rendered(7, 29)))
        #expect(Self.isWhite(try scene.rendered(5, 29)))
    }

    @Test func aConeLeavesTheSourceFreeAndEndsAtItsTangents() throws {
        let scene = Self.scene(Callout(connector: Connector(.cone, color: Self.red)))
        #expect(Self.isWhite(try scene.rendered(25, 30)), "in the source")
        #expect(Self.isRed(try scene.rendered(40, 30)))
        #expect(Self.isWhite(try scene.rendered(8, 30)), "behind the source")
        // The tangents' angle to the axis has the sine 10/50: at x = 40.5 they are 14.4 from the axis.
        #expect(Self.isRed(try scene.rendered(40, 16)))
        #expect(Self.isWhite(try scene.rendered(40, 14)))
    }

    @Test func anArrowPointsAtTheSource() throws {
        let scene = Self.scene(Callout(connector: Connector(.arrow(width: 4), color: Self.red)))
        // Its head reaches from 30 to 46, where it is 16 high; its shaft is 4 high.
        #expect(Self.isRed(try scene.rendered(44, 35)))
        #expect(Self.isWhite(try scene.rendered(34, 35)))
        #expect(Self.isRed(try scene.rendered(48, 31)))
        #expect(Self.isWhite(try scene.rendered(48, 35)))
    }

    @Test func ringAndConnectorAreOneShape() throws {
        let faint = Color(red: 255, green: 0, blue: 0, alpha: 102)
        // The cone covers all of the ring's front half; its coverage and the ring's are 1 at (33, 30).
        let scene = Self.scene(Callout(ring: .init(width: 6, color: faint), connector: Connector(.cone, color: faint)))
        #expect(try scene.rendered(40, 30) == [255, 153, 153, 255])
        #expect(try scene.rendered(33, 30) == [255, 153, 153, 255])
    }

    @Test func casingsLieOnBothSidesOfARingAndLeaveTheSourceFree() throws {
        let casing = Casing(width: 3, color: Self.black)
        let scene = Self.scene(Callout(ring: .init(width: 4, color: Self.red, casing: casing)))
        func pixel(_ x: Int) throws -> [UInt8] { try scene.rendered(x, 29) }
        // The source's radius is 10: casing to 13, ring to 17, casing to 20.
        #expect(Self.isWhite(try pixel(28)))
        #expect(try pixel(31) == [0, 0, 0, 255])
        #expect(Self.isRed(try pixel(34)))
        #expect(Self.isRed(try pixel(35)))
        #expect(try pixel(38) == [0, 0, 0, 255])
        #expect(Self.isWhite(try pixel(41)))
    }

    @Test func theCasingOfATranslucentColourIsNotSeenThroughIt() throws {
        let faint = Color(red: 255, green: 0, blue: 0, alpha: 102)
        let connector = Connector(.arrow(width: 6), color: faint, casing: Casing(width: 3, color: Self.black))
        let scene = Self.scene(Callout(connector: connector))
        // The room is 20, so the arrow's width is 5. At x = 45.5 its head reaches up to 22.25, its casing 3.4 farther.
        #expect(try scene.rendered(48, 30) == [255, 153, 153, 255])
        #expect(try scene.rendered(45, 20) == [0, 0, 0, 255])
    }

    @Test func theCasingOfARimLiesAroundTheLoupe() throws {
        var scene = Self.scene(Callout())
        scene.loupes[0].callout = nil
        scene.loupes[0].rim = .init(width: 2, color: Self.red, casing: Casing(width: 3, color: Self.black))
        // The loupe's right end is at x = 90.
        #expect(Self.isRed(try scene.rendered(88, 29)))
        #expect(try scene.rendered(91, 29) == [0, 0, 0, 255])
        #expect(Self.isWhite(try scene.rendered(94, 29)))
        scene.loupes[0].outside = .transparent
        #expect(try scene.rendered(91, 29) == [0, 0, 0, 255])
    }

    @Test func aCalloutLiesAboveItsLoupesShadowButTheShadowFallsOnEarlierDiscs() throws {
        var scene = Self.scene(Callout(connector: Connector(.cone, color: Self.red)))
        scene.loupes[0].shadow = .init(offset: .zero, blur: 60, color: Self.black)
        #expect(Self.isRed(try scene.rendered(48, 30)))
        #expect(try scene.rendered(48, 60)[0] < 230)
        scene.loupes.insert(Loupe(center: Point(x: 42, y: 30), radius: 5, zoom: 2, focus: Point(x: 90, y: 90)), at: 0)
        let shaded = try scene.rendered(42, 30)
        #expect(shaded[0] < 230 && shaded[0] == shaded[1])
    }

    @Test func nothingOfACalloutIsSeenThroughItsLoupe() throws {
        let callout = Callout(ring: .init(width: 30, color: Self.red), connector: Connector(.cone, color: Self.red))
        #expect(Self.isRed(try Self.scene(callout, outside: .transparent).rendered(46, 30)))
        for x in [54, 60, 70, 80] {
            #expect(Self.isWhite(try Self.scene(callout).rendered(x, 30)))
            #expect(Self.isWhite(try Self.scene(callout, outside: .transparent).rendered(x, 30)))
        }
    }

    @Test func anotherLoupeCoversIt() throws {
        var scene = Self.scene(Callout(connector: Connector(.cone, color: Self.red)))
        scene.loupes.insert(Loupe(center: Point(x: 40, y: 30), radius: 5, zoom: 2, focus: Point(x: 90, y: 90)), at: 0)
        #expect(Self.isWhite(try scene.rendered(40, 30)))
        #expect(Self.isRed(try scene.rendered(40, 38)))
    }

    @Test func beyondTheLayersATransparentLoupeShowsWhatLiesUnderIt() throws {
        let page = Layer(content: .fill(Self.black), rect: Rect(x: 0, y: 0, width: 10, height: 100))
        let stripe = Layer(content: .fill(Self.red), rect: Rect(x: 60, y: 0, width: 40, height: 100))
        var scene = Self.scene(Callout(), outside: .transparent)
        scene.layers = [page, stripe]
        // What the loupe shows is white beyond x = 10, which is at the loupe's x = 50: nothing but what lies there.
        #expect(Self.isWhite(try scene.rendered(55, 30)))
        #expect(Self.isRed(try scene.rendered(65, 30)))
        scene.loupes[0].outside = .background
        #expect(Self.isWhite(try scene.rendered(65, 30)))
    }

    /// Texels of 20 pixels: (0, 0) black, its neighbours white.
    private static func texels(_ adorn: (inout Loupe) -> Void) -> Scene {
        var loupe = Loupe(
            center: Point(x: 50, y: 50), radius: 40, zoom: 20, focus: Point(x: 0.5, y: 0.5), filter: .nearest)
        adorn(&loupe)
        let layer = Layer(content: .image(path: "page.png"), rect: Rect(x: 0, y: 0, width: 3, height: 3))
        return CompositionTests.scene(Self.white, [layer], [loupe], side: 100)
    }

    private static let page = Image(
        width: 3, height: 3, pixels: [0, 0, 0, 255] + [UInt8](repeating: 255, count: 8 * 4))

    private static func pixel(_ scene: Scene, _ x: Int, _ y: Int) throws -> [UInt8] {
        let image = try Oracle().render(scene, images: ["page.png": page])
        return Array(image.pixels[(y * image.width + x) * 4..<(y * image.width + x) * 4 + 4])
    }

    @Test func gridLinesLieOnTheBordersOfTexels() throws {
        let scene = Self.texels { $0.grid = TexelGrid(color: Color(red: 254, green: 0, blue: 0)) }
        // The borders of texel 0 are at 40 and 60: the first pixels of texels 0 and 1.
        #expect(try Self.pixel(scene, 59, 50) == [0, 0, 0, 255])
        #expect(try Self.pixel(scene, 60, 50) == [254, 0, 0, 255])
        #expect(try Self.pixel(scene, 61, 50) == [255, 255, 255, 255])
        #expect(try Self.pixel(scene, 39, 50) == [255, 255, 255, 255])
        #expect(try Self.pixel(scene, 40, 50) == [254, 0, 0, 255])
        #expect(try Self.pixel(scene, 41, 50) == [0, 0, 0, 255])
        #expect(try Self.pixel(scene, 50, 50) == [0, 0, 0, 255])
        // Above the page there are no lines.
        #expect(try Self.pixel(scene, 50, 20) == [255, 255, 255, 255])
    }

    @Test func theMarkFramesTheTexelAtTheFocus() throws {
        let scene = Self.texels { $0.mark = TexelMark(width: 2, color: Self.red) }
        #expect(try Self.pixel(scene, 59, 50) == [0, 0, 0, 255])
        #expect(try Self.pixel(scene, 60, 50) == [255, 0, 0, 255])
        #expect(try Self.pixel(scene, 61, 61) == [255, 0, 0, 255])
        #expect(try Self.pixel(scene, 62, 50) == [255, 255, 255, 255])
        #expect(try Self.pixel(scene, 39, 39) == [255, 0, 0, 255])
    }

    /// The lines of the texel's own borders, at 40 and at 60, are under the frame.
    @Test func theMarkBeginsWithTheLinesOfTheGrid() throws {
        let scene = Self.texels {
            $0.grid = TexelGrid(color: Color(red: 0, green: 0, blue: 200))
            $0.mark = TexelMark(width: 2, color: Self.red)
        }
        let expected: [(x: Int, color: [UInt8])] = [
            (38, [255, 255, 255, 255]), (39, [255, 0, 0, 255]), (40, [255, 0, 0, 255]), (41, [0, 0, 0, 255]),
            (59, [0, 0, 0, 255]), (60, [255, 0, 0, 255]), (61, [255, 0, 0, 255]), (62, [255, 255, 255, 255]),
            (80, [0, 0, 200, 255]),
        ]
        for (x, color) in expected { #expect(try Self.pixel(scene, x, 50) == color, "at \(x)") }
    }
}

/// Single pixels of the callouts of shaped loupes, whose values follow from the specification by hand.
@Suite struct ShapedLoupeCalloutTests {
    private static let white = CompositionTests.white
    private static let red = CompositionTests.red

    /// A loupe of 40×20 at (70, 30) that shows 20×10 pixels around (20, 30), on white.
    private static func scene(
        _ callout: Callout, radius: Double = 0, exponent: Double = 4, outside: Outside = .background
    ) -> Scene {
        let shape = Loupe.Rectangle(width: 40, height: 20, corner: Corner(radius: radius, exponent: exponent))
        let loupe = Loupe(
            center: Point(x: 70, y: 30), shape: .rectangle(shape), zoom: 2, focus: Point(x: 20, y: 30),
            callout: callout, outside: outside)
        return CompositionTests.scene(white, [], [loupe], side: 100)
    }

    private static func isRed(_ pixel: [UInt8]) -> Bool { pixel == [255, 0, 0, 255] }
    private static func isWhite(_ pixel: [UInt8]) -> Bool { pixel == [255, 255, 255, 255] }

    @Test func theRingIsAsWideEverywhereByDistance() throws {
        let scene = Self.scene(Callout(ring: .init(width: 4, color: Self.red)))
        // The source reaches from 10 to 30 and from 25 to 35.
        #expect(Self.isWhite(try scene.rendered(10, 25)))
        #expect(Self.isRed(try scene.rendered(9, 30)))
        #expect(Self.isRed(try scene.rendered(6, 30)))
        #expect(Self.isWhite(try scene.rendered(5, 30)))
        #expect(Self.isRed(try scene.rendered(20, 24)))
        #expect(Self.isRed(try scene.rendered(20, 21)))
        #expect(Self.isWhite(try scene.rendered(20, 20)))
        // Centres at 2.92 and 4.95 pixels from the corner.
        #expect(Self.isRed(try scene.rendered(8, 22)))
        #expect(Self.isWhite(try scene.rendered(6, 21)))
    }

    @Test func theRingFollowsTheCornersOfTheSource() throws {
        let scene = Self.scene(Callout(ring: .init(width: 4, color: Self.red)), radius: 10, exponent: 1)
        // A bevel from (10, 30) to (15, 25): the pixel lies 5.66 pixels outside of it, and 2.12 outside of a sharp corner.
        #expect(Self.isWhite(try scene.rendered(8, 23)))
        #expect(Self.isRed(try scene.rendered(11, 26)))
    }

    @Test func aConeLeavesTheSourceFreeAndEndsAtItsTangents() throws {
        let scene = Self.scene(Callout(connector: Connector(.cone, color: Self.red)))
        #expect(Self.isWhite(try scene.rendered(25, 30)), "in the source")
        #expect(Self.isWhite(try scene.rendered(8, 30)), "behind the source")
        // Its borders run from (-30, 30), which the zoom leaves alone, along (10, 25) to (50, 20).
        #expect(Self.isRed(try scene.rendered(40, 24)))
        #expect(Self.isWhite(try scene.rendered(40, 20)))
    }

    @Test func linesRunFromTheRingToTheLoupe() throws {
        let callout = Callout(ring: .init(width: 2, color: Self.white), connector: Connector(.lines(width: 3)))
        var scene = Self.scene(callout)
        scene.loupes[0].callout?.connector?.color = Self.red
        // The upper one touches the ring's round corner about (10, 25) and the loupe's at (50, 20): at x = 40.5 it is at 20.7.
        #expect(Self.isRed(try scene.rendered(40, 22)))
        #expect(Self.isWhite(try scene.rendered(40, 18)))
        #expect(Self.isWhite(try scene.rendered(40, 26)))
        #expect(Self.isRed(try scene.rendered(40, 37)))
    }

    @Test func anArrowPointsAtTheSource() throws {
        let scene = Self.scene(Callout(connector: Connector(.arrow(width: 4), color: Self.red)))
        // Its head reaches from 30 to 46, where it is 16 high; its shaft is 4 high.
        #expect(Self.isRed(try scene.rendered(44, 35)))
        #expect(Self.isWhite(try scene.rendered(34, 35)))
        #expect(Self.isRed(try scene.rendered(48, 31)))
        #expect(Self.isWhite(try scene.rendered(48, 35)))
    }

    @Test func nothingOfACalloutIsSeenThroughItsLoupe() throws {
        let callout = Callout(ring: .init(width: 30, color: Self.red), connector: Connector(.cone, color: Self.red))
        #expect(Self.isRed(try Self.scene(callout, outside: .transparent).rendered(46, 30)))
        for x in [52, 60, 70, 80] {
            #expect(Self.isWhite(try Self.scene(callout).rendered(x, 30)))
            #expect(Self.isWhite(try Self.scene(callout, outside: .transparent).rendered(x, 30)))
        }
    }
}
