import LoupeBase
import LoupeFigure
import LoupeScene
import Testing

/// Which filters a page gets that no flag names.
@Suite struct FilterChoiceTests {
    private let size = ImageSize(width: 100, height: 50)

    /// A page at some magnification on the canvas under a loupe.
    private func scene(_ magnification: Double, zoom: Double, _ filter: LoupeFilter = .auto) -> Scene {
        Scene(
            canvas: .init(width: 300, height: 200),
            layers: [
                Layer(content: .fill(.defaultInk), rect: Rect(x: 0, y: 0, width: 300, height: 200)),
                Layer(
                    content: .image(path: "a"),
                    rect: Rect(x: 0, y: 0, width: 100 * magnification, height: 50 * magnification)),
            ], loupes: [Loupe(center: .zero, radius: 20, zoom: zoom, filter: filter)])
    }

    /// The table of the specification, section 5.8.
    @Test(arguments: [
        (0.25, 4.0, LoupeFilter.cubic, LoupeFilter.cubic), (1, 4, .cubic, .sharp), (1, 5.99, .cubic, .sharp),
        (1, 6, .sharp, .sharp), (0.5, 12, .sharp, .sharp), (0.5, 8, .cubic, .sharp), (1, 64, .sharp, .sharp),
    ])
    func loupesGetTheFilterOfTheTable(
        magnification: Double, zoom: Double, ordinary: LoupeFilter, pixelArt: LoupeFilter
    ) {
        let choice = FilterChoice(includesPage: true)
        let scene = scene(magnification, zoom: zoom)
        #expect(choice.applied(to: scene, pageSize: size, isPixelArt: false).loupes[0].filter == ordinary)
        #expect(choice.applied(to: scene, pageSize: size, isPixelArt: true).loupes[0].filter == pixelArt)
    }

    @Test func thePageItselfIsSharpWherePixelArtIsEnlarged() {
        func filter(_ magnification: Double, isPixelArt: Bool = true, includesPage: Bool = true) -> Filter {
            FilterChoice(includesPage: includesPage).applied(
                to: scene(magnification, zoom: 2), pageSize: size, isPixelArt: isPixelArt
            ).layers[1].filter
        }
        #expect(filter(2) == .sharp && filter(1) == .lanczos && filter(0.5) == .lanczos)
        #expect(filter(2, isPixelArt: false) == .lanczos && filter(2, includesPage: false) == .lanczos)
        #expect(filter(5.99, isPixelArt: false) == .lanczos)
        #expect(filter(6, isPixelArt: false) == .sharp)
        #expect(filter(6, isPixelArt: false, includesPage: false) == .lanczos)
    }

    /// By `--scale`, or because it is tiny: its squares are seen, so its loupes show squares too.
    @Test func aPageThatIsScaledSixTimesIsSharpInItsLoupes() {
        func filter(_ scale: Double) -> LoupeFilter {
            FilterChoice(includesPage: true, scale: scale).applied(
                to: scene(1, zoom: 2).scaled(by: scale), pageSize: size, isPixelArt: false
            ).loupes[0].filter
        }
        #expect(filter(5) == .cubic)
        #expect(filter(6) == .sharp)
    }

    @Test func aScaledPictureHasTheFiltersOfTheUnscaledOne() {
        let scaled = scene(1, zoom: 4).scaled(by: 2)
        let choice = FilterChoice(includesPage: true, scale: 2)
        #expect(choice.applied(to: scaled, pageSize: size, isPixelArt: false).loupes[0].filter == .cubic)
        // Pixel art that is drawn twice as large stays sharp.
        let art = choice.applied(to: scaled, pageSize: size, isPixelArt: true)
        #expect(art.layers[1].filter == .sharp && art.loupes[0].filter == .sharp)
    }
}
