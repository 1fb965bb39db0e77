import LoupeGeometry
import LoupeScene
import Testing

/// Single pixels of the callouts of loupes that are no discs, whose value can be written down from what they mean.
@Suite struct LensCalloutTests {
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
