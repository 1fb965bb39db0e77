import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeFigure

/// The flags of corners, shapes and split loupes.
@Suite struct ShapeFlagTests {
    private func scene(_ flags: String...) throws -> Scene { try scene(flags) }

    private func scene(_ flags: [String]) throws -> Scene {
        try FlaggedPage.scene(["--canvas", "120x90"] + flags, FlaggedPage.plain)
    }

    @Test func cornersGoByTheirNames() throws {
        #expect(
            try scene("--corner", "20:css(1)").layers[0].corner == Corner(radius: 20, exponent: 2))
        #expect(try scene("--corner", "20:bevel").layers[0].corner.exponent == 1)
        #expect(try scene("--corner", "20:ios").layers[0].corner.exponent == 3.35)
        #expect(try scene("--corner", "20:figma(0)").layers[0].corner.exponent == 2)
        #expect(try scene("--corner", "20", "--corner-keep-diagonal").layers[0].corner.radius > 36)
    }

    @Test func radiiAreWrittenAsInCSS() throws {
        let radii = try scene("--corner", "20/10,5,0,30").layers[0].corner.radii
        #expect(radii[.topLeft].x == 20 && radii[.topLeft].y == 10)
        #expect(radii[.topRight].x == 5 && radii[.bottomRight].x == 0 && radii[.bottomLeft].y == 30)
    }

    @Test func aLoupeIsARectangleAndSplit() throws {
        let loupe = try scene(
            "--at", "50,40", "--shape", "60x40:10", "--versus", "page.png", "--versus-angle",
            "90", "--divider-width", "2"
        ).loupes[0]
        #expect(loupe.shape == .rectangle(.init(width: 60, height: 40, corner: Corner(radius: 10))))
        #expect(loupe.split == .init(image: "page.png", angle: 90, divider: .init(width: 2)))
    }

    @Test(
        "What can't be is refused as usage",
        arguments: [
            ["--corner", "61"], ["--corner", "1,2"], ["--corner", "70/3"], ["--corner", "-1"], ["--corner", ":round"],
            ["--corner", "4:css(6)"], ["--corner", "4:css(1"], ["--corner", "4:figma(2)"], ["--corner", "4:round:ios"],
            ["--corner", "9/3:ios"], ["--corner", "4:figma(0.5)", "--corner-keep-diagonal"],
            ["--versus", "page.png"], ["--at", "9,9", "--versus-angle", "4"], ["--at", "9,9", "--divider-width", "4"],
            ["--at", "9,9", "--shape", "4"], ["--at", "9,9", "--shape", "9x9", "--radius", "4"],
            ["--at", "9,9", "--shape", "9x9:4:flat"], ["--at", "9,9", "--shape", "9x9:"],
            ["--at", "9,9", "--shape", "rectangle"],
            ["--at", "9,9", "--shape", "9x9:1,2,1,2:ios"],
            ["--at", "9,9", "--shape", "9x1"], ["--at", "9,9", "--shape", "9x9", "--rim-width", "5"],
        ])
    func refusals(flags: [String]) {
        let error = thrown(ComposeError.self) { try scene(flags) }
        #expect(error?.kind == .usage)
    }
}
