import LoupeGeometry
import LoupePlan
import LoupeScene
import Testing

/// What the default style adds to loupes.
@Suite struct DefaultStyleTests {
    private static func scene(_ loupe: Loupe, side: Int = 800) -> Scene {
        Scene(canvas: .init(width: 2 * side, height: side), loupes: [loupe])
    }

    private static func loupe(radius: Double = 150, callout: Callout? = nil, scale: Double = 1) -> Loupe {
        Loupe(
            center: Point(x: 1000 * scale, y: 400 * scale), radius: radius * scale, zoom: 4,
            focus: Point(x: 300 * scale, y: 380 * scale), callout: callout)
    }

    private static let callout = Callout(ring: .init(), connector: Connector(.lines(width: 2)))

    /// The scene with colours for a page of one colour.
    private static func styled(_ scene: Scene, on page: String, accent: Accent = .auto) throws -> Scene {
        let style = DefaultStyle(given: scene.loupes.map { _ in [] }, accent: accent)
        let shaped = style.shaped(scene)
        let color = try #require(Color(text: page))
        return style.colored(shaped, page: style.probes(of: shaped).map { _ in color })
    }

    @Test func lengthsFollowFromTheRadiusAndTheCanvas() throws {
        let loupe = DefaultStyle(given: [[]]).shaped(Self.scene(Self.loupe(callout: Self.callout))).loupes[0]
        #expect(
            loupe.rim == .init(width: 5, color: .defaultRim, casing: .init(width: 1, color: Color(text: "#00000066")!)))
        #expect(loupe.shadow == .init(offset: Vector(dx: 0, dy: 9.38), blur: 30, color: Color(text: "#0006")!))
        #expect(loupe.callout?.ring?.width == 3 && loupe.callout?.ring?.casing?.width == 1)
        #expect(loupe.callout?.connector?.shape == .lines(width: 2))
        let tiny = DefaultStyle(given: [[]]).shaped(Self.scene(Self.loupe(radius: 20))).loupes[0]
        #expect(tiny.rim?.width == 2)
    }

    @Test func allOfItScalesWithTheCanvas() throws {
        let small = DefaultStyle(given: [[]]).shaped(Self.scene(Self.loupe(callout: Self.callout), side: 1000)).loupes[
            0]
        let large = DefaultStyle(given: [[]]).shaped(
            Self.scene(Self.loupe(callout: Self.callout, scale: 3), side: 3000)
        ).loupes[0]
        func lengths(_ loupe: Loupe) -> [Double] {
            [
                loupe.rim?.width, loupe.rim?.casing?.width, loupe.shadow?.blur, loupe.shadow?.offset.dy,
                loupe.callout?.ring?.width, loupe.callout?.ring?.casing?.width, loupe.callout?.connector?.shape.width,
                loupe.callout?.connector?.casing?.width,
            ].map { $0 ?? 0 }
        }
        for (one, other) in zip(lengths(small), lengths(large)) { #expect(abs(3 * one - other) < 0.02) }
    }

    @Test func whatIsGivenStays() throws {
        var loupe = Self.loupe(callout: Self.callout)
        loupe.rim = .init(width: 9, color: Color(text: "gold")!)
        loupe.shadow = .init(offset: .zero, blur: 3, color: Color(text: "navy")!)
        loupe.callout?.ring = .init(width: 7, color: Color(text: "lime")!)
        loupe.callout?.connector = Connector(.arrow(width: 6), color: Color(text: "teal")!)
        let all: DefaultStyle.Parts = [
            .rimWidth, .rimColor, .shadowBlur, .shadowOffset, .shadowColor, .ringWidth, .ringColor, .connectorWidth,
            .connectorColor,
        ]
        let styled = DefaultStyle(given: [all]).shaped(Self.scene(loupe)).loupes[0]
        #expect(styled.rim?.width == 9 && styled.rim?.color == loupe.rim?.color && styled.rim?.casing != nil)
        #expect(styled.shadow == loupe.shadow)
        #expect(styled.callout?.ring?.width == 7 && styled.callout?.ring?.color == loupe.callout?.ring?.color)
        #expect(styled.callout?.connector?.shape == .arrow(width: 6))
        #expect(styled.callout?.connector?.color == loupe.callout?.connector?.color)
        loupe.rim?.width = 0
        #expect(DefaultStyle(given: [all]).shaped(Self.scene(loupe)).loupes[0].rim?.casing == nil)
    }

    @Test(arguments: ["white", "black", "#0d1117", "#e5484d", "#0090ff", "#ffd60a", "#808080", "seagreen", "#f6f8fa"])
    func theAccentStandsOutMostFromThePage(page: String) throws {
        let loupe = try Self.styled(Self.scene(Self.loupe(callout: Self.callout)), on: page).loupes[0]
        let ring = try #require(loupe.callout?.ring)
        #expect(ring.color == loupe.callout?.connector?.color)
        let ground = OKLab(try #require(Color(text: page)))
        let best = Accent.palette.map { OKLab($0).contrast(to: ground) }.max()
        #expect(OKLab(ring.color).contrast(to: ground) == best)
        #expect(best ?? 0 >= 0.2)
        if page == "white" { #expect(ring.color.hex == "#e5484d") }
    }

    @Test func anAccentOfOnesOwnIsForRingAndConnectorAlike() throws {
        let color = Color(text: "purple")!
        let cone = Callout(ring: .init(), connector: Connector(.cone))
        let loupe = try Self.styled(
            Self.scene(Self.loupe(callout: cone)), on: "white", accent: .color(color)
        ).loupes[0]
        #expect(loupe.callout?.ring?.color == color)
        #expect(loupe.callout?.connector?.color == Color(text: "#80008066"))
    }

    @Test(arguments: [("white", "#ffffff"), ("black", "#000000"), ("#30363d", "#000000"), ("#e0e0e0", "#ffffff")])
    func casingsAreLikeThePage(page: String, casing: String) throws {
        let loupe = try Self.styled(Self.scene(Self.loupe(callout: Self.callout)), on: page).loupes[0]
        #expect(loupe.callout?.ring?.casing?.color.hex == casing)
        #expect(loupe.callout?.connector?.casing?.color.hex == casing)
    }

    @Test("A white ring on white has a black casing, however wide it is", arguments: [1.0, 2, 3, 6, 20, 41])
    func aWideRingLikeThePage(width: Double) throws {
        var loupe = Self.loupe(callout: Callout(ring: .init(width: width)))
        loupe.callout?.ring?.color = .defaultRim
        let scene = Self.scene(loupe)
        let style = DefaultStyle(given: [[.ringWidth, .ringColor]])
        let shaped = style.shaped(scene)
        let colored = style.colored(shaped, page: style.probes(of: shaped).map { _ in .defaultRim })
        #expect(colored.loupes[0].callout?.ring?.casing?.color == .defaultInk)
    }

    /// Red with a white casing is lost on salmon.
    @Test func casingsOfOneAccentAreAlike() throws {
        let red = Accent.palette[0]
        let salmon = "#f29a9c"
        let alone = try Self.styled(Self.scene(Self.loupe(callout: Self.callout)), on: salmon, accent: .color(red))
        #expect(alone.loupes[0].callout?.ring?.casing?.color == .defaultInk)

        // One lies on white, one on salmon.
        var scene = Self.scene(Self.loupe(radius: 60, callout: Self.callout))
        scene.loupes = [300, 1200].map { x in
            Loupe(
                center: Point(x: x, y: 500), radius: 60, zoom: 4, focus: Point(x: x + 60, y: 100),
                callout: Self.callout)
        }
        func styled(_ style: DefaultStyle) throws -> [Loupe] {
            let shaped = style.shaped(scene)
            let colors = try (#require(Color(text: "white")), #require(Color(text: salmon)))
            return style.colored(shaped, page: style.probes(of: shaped).map { $0.x < 800 ? colors.0 : colors.1 }).loupes
        }
        for accent in [Accent.auto, .color(red)] {
            let casings = try styled(DefaultStyle(given: [[], []], accent: accent)).map {
                $0.callout?.ring?.casing?.color
            }
            #expect(casings[0] == casings[1], "\(accent)")
        }
        #expect(try styled(DefaultStyle(given: [[], []]))[0].callout?.ring?.casing?.color == .defaultRim)

        // Nor do callouts of connectors alone differ.
        let whole = scene
        for index in 0...1 { scene.loupes[index].callout?.ring = nil }
        let connectors = try styled(DefaultStyle(given: [[], []])).map { $0.callout?.connector?.casing?.color }
        #expect(connectors[0] != nil && connectors[0] == connectors[1])
        scene = whole

        // If colours are given, each has its own casing.
        for index in 0...1 { scene.loupes[index].callout?.ring?.color = red }
        let given = try styled(DefaultStyle(given: [[.ringColor], [.ringColor]], accent: .color(red)))
        #expect(given.map { $0.callout?.ring?.casing?.color } == [.defaultRim, .defaultInk])
    }

    @Test func theHairlineIsDarkOnALightPageAndLightOnADarkOne() throws {
        func hairline(_ page: String) throws -> Color? {
            try Self.styled(Self.scene(Self.loupe()), on: page).loupes[0].rim?.casing?.color
        }
        // A white rim is seen by itself on a grey page. On a white one, 20 % would not be seen between two pixels.
        #expect(try hairline("#999")?.hex == "#00000033")
        #expect(try hairline("white")?.hex == "#00000066")
        #expect(try hairline("black")?.hex == "#ffffff33")
        #expect(try hairline("#0d1117")?.hex == "#ffffff33")
        // What differs least from both white and the shadow.
        let grey = try #require(try hairline("#cdcdcd"))
        #expect(grey.red == 0 && grey.alpha > 0x66)
    }
}
