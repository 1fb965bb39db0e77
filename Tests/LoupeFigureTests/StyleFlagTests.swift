import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeFigure

/// The default style of flags, and frames.
@Suite struct StyleFlagTests {
    private func scene(_ flags: [String]) throws -> Scene {
        try FlaggedPage.scene(["--canvas", "800x600"] + flags)
    }

    @Test(arguments: [["--at", "400,300", "--radius", "120"], ["--loupe", "at=400,300 radius=120"]])
    func aLoupeAloneHasARimAndAShadow(flags: [String]) throws {
        let loupe = try #require(try scene(flags).loupes.first)
        #expect(loupe.rim?.width == 3 && loupe.rim?.color.hex == "#ffffff")
        // Half a ring, which is less than a point of 180 mm.
        #expect(loupe.rim?.casing?.width == 1.5)
        #expect(loupe.shadow == .init(offset: Vector(dx: 0, dy: 7.5), blur: 24, color: Color(text: "#0006")!))
        let plain = try #require(try scene(flags + ["--plain"]).loupes.first)
        #expect(plain.rim == nil && plain.shadow == nil && plain.callout?.ring?.casing == nil)
    }

    @Test func flagsChangeSinglePartsOfTheStyle() throws {
        let flags = ["--at", "400,300", "--radius", "120", "--rim-color", "gold", "--shadow-blur", "70"]
        let loupe = try #require(try scene(flags).loupes.first)
        #expect(loupe.rim?.width == 3 && loupe.rim?.color.hex == "#ffd700")
        #expect(loupe.shadow?.blur == 70 && loupe.shadow?.color.hex == "#00000066" && loupe.shadow?.dither == true)
        let words = try #require(try scene(["--loupe", "at=400,300 radius=120 rim=gold shadow=70"]).loupes.first)
        #expect(words == loupe)
        #expect(try scene(["--at", "400,300", "--rim-width", "0"]).loupes[0].rim?.casing == nil)
    }

    @Test func theAccentIsForRingsAndConnectorsOfAllLoupes() throws {
        let flags = [
            "--callout", "100,100@400,300 connector=leader",
            "--loupe", "at=600,400 focus=100,300 ring=2:red connector=arrow",
        ]
        let loupes = try scene(flags + ["--accent", "rebeccapurple"]).loupes
        #expect(loupes[0].callout?.ring?.color.hex == "#663399")
        #expect(loupes[0].callout?.connector?.color.hex == "#663399")
        #expect(loupes[1].callout?.ring?.color.hex == "#ff0000" && loupes[1].callout?.ring?.width == 2)
        #expect(loupes[1].callout?.connector?.color.hex == "#ff0000", "as its ring")
    }

    @Test func aFrameHasABackdropRoomCornersAndAShadow() throws {
        func framed(_ flags: String...) throws -> Scene { try FlaggedPage.scene(flags) }
        let light = try framed("--frame")
        #expect(light.canvas.width == 72 && light.canvas.height == 62)
        #expect(light.layers[0].corner.radius == 4 && light.layers[0].shadow != nil)
        guard case .gradient(let gradient) = light.canvas.background else { return fail("no gradient") }
        #expect(OKLab(gradient.from).lightness > 0.9 && gradient.dither)
        #expect(try framed("--frame=light") == light)
        let own = try framed("--frame", "#fde68a..tomato", "--margin", "5", "--corner", "0")
        #expect(own.canvas.width == 50 && own.layers[0].corner.radius == 0)
        #expect(
            own.canvas.background
                == .gradient(
                    .init(from: Color(text: "#fde68a")!, to: Color(text: "tomato")!, angle: 45, dither: true)))
        #expect(try framed("--frame", "teal").canvas.background == .color(Color(text: "teal")!))
    }
}
