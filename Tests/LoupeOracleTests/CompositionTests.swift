import LoupeBase
import LoupeImaging
import LoupeOracle
import LoupeScene
import Testing

/// Single pixels whose value can be written down from the specification, sections 2 to 6.
@Suite("Composition")
struct CompositionTests {
    static let white = Color(red: 255, green: 255, blue: 255)
    static let black = Color(red: 0, green: 0, blue: 0)
    static let red = Color(red: 255, green: 0, blue: 0)
    static let blue = Color(red: 0, green: 0, blue: 255)
    static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)

    static func scene(
        _ background: Color, _ layers: [Layer] = [], _ loupes: [Loupe] = [], side: Int = 20, blending: Blending = .srgb
    ) -> Scene {
        Scene(
            canvas: .init(width: side, height: side, background: background), blending: blending, layers: layers,
            loupes: loupes)
    }

    /// A plain colour all over the canvas and beyond.
    static func flood(_ color: Color, opacity: Double = 1) -> Layer {
        Layer(content: .fill(color), rect: Rect(x: -50, y: -50, width: 200, height: 200), opacity: opacity)
    }

    static func gray(_ level: UInt8) -> [UInt8] { [level, level, level, 255] }

    @Test("The background alone keeps its straight colour and alpha")
    func background() throws {
        let image = try Oracle().render(Self.scene(Color(red: 0x12, green: 0x34, blue: 0x56, alpha: 0x78), side: 3))
        #expect(image.pixels == Array(repeatElement([0x12, 0x34, 0x56, 0x78], count: 9).joined()))
    }

    @Test("Opacity mixes a layer with what lies under it")
    func opacity() throws {
        let scene = Self.scene(Color(red: 51, green: 51, blue: 51), [Self.flood(Self.white, opacity: 0.25)])
        #expect(try scene.rendered(4, 4) == Self.gray(102))  // 51·¾ + 255·¼
    }

    @Test("Half of white over black is 128 as encoded values and 188 in linear light")
    func blending() throws {
        let layers = [Self.flood(Self.white, opacity: 0.5)]
        #expect(try Self.scene(Self.black, layers).rendered(1, 1) == Self.gray(128))
        // 1.055·0.5^(1/2.4) − 0.055 = 0.7354, times 255 = 187.5
        #expect(try Self.scene(Self.black, layers, blending: .linear).rendered(1, 1) == Self.gray(188))
    }

    @Test("Linear light encodes colour but not alpha")
    func linearAlpha() throws {
        let layers = [Self.flood(Color(red: 200, green: 10, blue: 3), opacity: 0.5)]
        #expect(try Self.scene(Self.clear, layers, blending: .linear).rendered(1, 1) == [200, 10, 3, 128])
    }

    @Test("Translucent layers over nothing give straight colour")
    func transparent() throws {
        let layers = [Self.flood(Self.red, opacity: 0.5), Self.flood(Self.blue, opacity: 0.5)]
        // Premultiplied red ¼, blue ½, alpha ¾: straight ⅓ and ⅔.
        #expect(try Self.scene(Self.clear, layers).rendered(1, 1) == [85, 0, 170, 191])
        #expect(try Self.scene(Self.clear).rendered(1, 1) == [0, 0, 0, 0])
    }

    @Test("A crop cuts the picture and moves nothing of it")
    func crop() throws {
        let pixels = (0..<64).flatMap { (level: UInt8) -> [UInt8] in [level, 255 - level, 3 * level, 255] }
        let images: [ImagePath: Image] = ["a.png": Image(width: 8, height: 8, pixels: pixels)]
        let rect = Rect(x: 3, y: 2, width: 12, height: 15)
        var layer = Layer(content: .image(path: "a.png"), rect: rect, filter: .cubic)
        let whole = try Oracle().render(Self.scene(Self.black, [layer]), images: images)
        layer.crop = Rect(x: 5, y: 6, width: 7, height: 4)
        let cut = try Oracle().render(Self.scene(Self.black, [layer]), images: images)
        for y in 0..<20 {
            for x in 0..<20 {
                let isInside = (5..<12).contains(x) && (6..<10).contains(y)
                let start = (y * 20 + x) * 4
                let bytes = start..<start + 4
                let expected = isInside ? Array(whole.pixels[bytes]) : Self.gray(0)
                #expect(Array(cut.pixels[bytes]) == expected)
            }
        }
    }

    @Test("In a crop beyond the rect, sampling clamps to the border's texels", arguments: Filter.allCases)
    func cropBeyondTheRect(filter: Filter) throws {
        let images: [ImagePath: Image] = ["a.png": Image(width: 2, height: 1, pixels: Self.gray(40) + Self.gray(200))]
        let layer = Layer(
            content: .image(path: "a.png"), rect: Rect(x: 8, y: 8, width: 4, height: 4),
            crop: Rect(x: 0, y: 0, width: 20, height: 20), filter: filter)
        let image = try Oracle().render(Self.scene(Self.black, [layer]), images: images)
        for y in 0..<20 {
            #expect(Array(image.pixels[y * 80..<y * 80 + 4]) == Array(image.pixels[y * 80 + 28..<y * 80 + 32]))
            #expect(image.pixels[y * 80] <= 40 && image.pixels[y * 80 + 76] >= 200)
        }
    }

    @Test("An outline feathers over one output pixel")
    func outline() throws {
        let rect = Rect(x: 1.25, y: 1.75, width: 10, height: 10)
        let scene = Self.scene(Self.black, [Layer(content: .fill(Self.white), rect: rect)])
        #expect(try scene.rendered(1, 5) == Self.gray(191))  // d = ¼: ¾
        #expect(try scene.rendered(0, 5) == Self.gray(0))
        #expect(try scene.rendered(5, 1) == Self.gray(64))  // d = −¼: ¼
        // The centre (11.5, 11.5) lies (0.25, −0.25) from the corner (11.25, 11.75).
        #expect(try scene.rendered(11, 11) == Self.gray(64))
        let corner = Rect(x: 1.75, y: 1.75, width: 10, height: 10)
        let cornered = Self.scene(Self.black, [Layer(content: .fill(Self.white), rect: corner)])
        #expect(try cornered.rendered(1, 1) == Self.gray(37))  // ½ − √⅛ = 0.1464
    }

    @Test("A round corner covers by its distance")
    func roundCorner() throws {
        let layer = Layer(
            content: .fill(Self.white), rect: Rect(x: 0, y: 0, width: 8, height: 8),
            corner: Corner(radius: 4, exponent: 2))
        let scene = Self.scene(Self.black, [layer])
        // 4 + ½ − √(2.5² + 2.5²) = 0.9645; 4 + ½ − √(3.5² + 2.5²) = 0.1988
        #expect(try scene.rendered(1, 1) == Self.gray(246))
        #expect(try scene.rendered(0, 1) == Self.gray(51))
    }

    @Test("An outline is as crisp in a loupe as outside it")
    func magnifiedOutline() throws {
        // The edge x = 30.05 shows at 10 + (30.05 − 30)·8 = 10.4.
        let layer = Layer(content: .fill(Self.white), rect: Rect(x: 30.05, y: 0, width: 50, height: 100))
        let loupe = Loupe(center: Point(x: 10, y: 10), radius: 8, zoom: 8, focus: Point(x: 30, y: 50))
        let scene = Self.scene(Self.black, [layer], [loupe])
        #expect(try scene.rendered(9, 10) == Self.gray(0))
        #expect(try scene.rendered(10, 10) == Self.gray(153))  // d = 0.1: 0.6
        #expect(try scene.rendered(11, 10) == Self.gray(255))
    }

    /// White right of x = 40 and black elsewhere; the loupe looks at the white.
    static func lookingAtWhite(_ loupe: (inout Loupe) -> Void = { _ in }) -> Scene {
        let layer = Layer(content: .fill(white), rect: Rect(x: 40, y: -100, width: 300, height: 300))
        var disc = Loupe(center: Point(x: 8, y: 8), radius: 5, zoom: 2, focus: Point(x: 100, y: 0))
        loupe(&disc)
        return scene(black, [layer], [disc])
    }

    @Test("A translucent loupe mixes all of it with what was there, its shadow too")
    func translucentLoupe() throws {
        #expect(try Self.lookingAtWhite { $0.opacity = 0.25 }.rendered(8, 8) == Self.gray(64))
        let shadow = Loupe.Shadow(offset: Vector(dx: 0, dy: 6), blur: 0, color: Self.blue)
        let shaded = Self.lookingAtWhite { ($0.opacity, $0.shadow) = (0.25, shadow) }
        #expect(try shaded.rendered(8, 8) == Self.gray(64))  // nothing of the shadow is seen through the disc
        #expect(try shaded.rendered(8, 16) == [0, 0, 64, 255])
    }

    @Test("A disc is feathered over one pixel")
    func disc() throws {
        let scene = Self.lookingAtWhite()
        #expect(try scene.rendered(8, 8) == Self.gray(255))
        #expect(try scene.rendered(12, 7) == Self.gray(248))  // 5.5 − √(4.5² + 0.5²) = 0.9723
        #expect(try scene.rendered(12, 10) == Self.gray(90))  // 5.5 − √(4.5² + 2.5²) = 0.3521
        #expect(try scene.rendered(13, 8) == Self.gray(0))
    }

    @Test("A rim lies over the content and is feathered on its inner side")
    func rim() throws {
        let scene = Self.lookingAtWhite { $0.rim = Loupe.Rim(width: 2, color: Self.red) }
        #expect(try scene.rendered(8, 8) == Self.gray(255))
        // √(2.5² + 1.5²) − 3 + ½ = 0.4155 of red over white
        #expect(try scene.rendered(10, 9) == [255, 149, 149, 255])
        #expect(try scene.rendered(12, 7) == [248, 0, 0, 255])  // rim all, disc 0.9723
    }

    @Test("A translucent rim lets the content through")
    func translucentRim() throws {
        let scene = Self.lookingAtWhite {
            $0.rim = Loupe.Rim(width: 5, color: Color(red: 0, green: 0, blue: 0, alpha: 51))
        }
        #expect(try scene.rendered(10, 9) == Self.gray(204))
    }

    static func shadowed(blur: Double, offset: Vector, background: Color = white) -> Scene {
        var loupe = Loupe(center: Point(x: 8.5, y: 8.5), radius: 2, zoom: 2)
        loupe.shadow = Loupe.Shadow(offset: offset, blur: blur, color: black)
        return scene(background, [], [loupe])
    }

    @Test("A shadow falls off as the normal distribution of its distance")
    func shadow() throws {
        let scene = Self.shadowed(blur: 8, offset: .zero)
        // One deviation of 4 px outside: 1 − Φ(1) = 0.158655; two: 1 − Φ(2) = 0.022750
        #expect(try scene.rendered(14, 8) == Self.gray(215))
        #expect(try scene.rendered(18, 8) == Self.gray(249))
        let moved = Self.shadowed(blur: 8, offset: Vector(dx: 5, dy: 0))
        #expect(try moved.rendered(15, 8) == Self.gray(128))  // on the circle: ½
        #expect(try moved.rendered(13, 8) == Self.gray(79))  // 2 px inside: Φ(½) = 0.691462
    }

    @Test("A shadow without blur is a hard disc")
    func hardShadow() throws {
        let scene = Self.shadowed(blur: 0, offset: Vector(dx: 5, dy: 0))
        #expect(try scene.rendered(14, 8) == Self.gray(0))
        #expect(try scene.rendered(15, 8) == Self.gray(128))
        #expect(try scene.rendered(16, 8) == Self.gray(255))
    }

    @Test("A disc replaces its own shadow, even where it shows nothing")
    func replaced() throws {
        let scene = Self.shadowed(blur: 4, offset: .zero, background: Self.clear)
        #expect(try scene.rendered(8, 8) == [0, 0, 0, 0])
        #expect(try scene.rendered(11, 8)[3] == 79)  // 1 px outside, σ 2: 1 − Φ(½) = 0.308538
    }

    @Test("A loupe magnifies layers, neither loupes nor shadows")
    func noLoupeInLoupe() throws {
        var first = Loupe(center: Point(x: 5, y: 5), radius: 3, zoom: 2, rim: .init(width: 3, color: Self.red))
        first.shadow = Loupe.Shadow(offset: .zero, blur: 4, color: Self.black)
        let second = Loupe(center: Point(x: 14, y: 14), radius: 5, zoom: 2, focus: first.center)
        let scene = Self.scene(Self.white, [Self.flood(Self.blue)], [first, second])
        for (x, y) in [(14, 14), (15, 13), (11, 14)] { #expect(try scene.rendered(x, y) == [0, 0, 255, 255]) }
    }

    @Test("A later loupe and its shadow lie over an earlier loupe")
    func order() throws {
        let first = Loupe(center: Point(x: 6.5, y: 10), radius: 5, zoom: 2, rim: .init(width: 5, color: Self.red))
        var second = Loupe(center: Point(x: 12.5, y: 10), radius: 3, zoom: 2, rim: .init(width: 3, color: Self.blue))
        second.shadow = Loupe.Shadow(
            offset: Vector(dx: -3, dy: 0), blur: 0, color: Color(red: 0, green: 0, blue: 0, alpha: 51))
        let scene = Self.scene(Self.white, [], [first, second])
        #expect(try scene.rendered(10, 10)[2] > 100)
        #expect(try scene.rendered(7, 10) == [204, 0, 0, 255])  // 51/255 of black over the first loupe's red
    }

    @Test("A loupe's pixel shows focus + (q − center)/zoom, by the loupe's filter")
    func mapping() throws {
        let levels: [UInt8] = [12, 60, 112, 160]
        let image = Image(width: 4, height: 1, pixels: levels.flatMap(Self.gray))
        // Texels 5 px wide from x = 20; the loupe's pixel i shows x = 27 + (i + ½ − 10)/2.
        let layer = Layer(content: .image(path: "bar"), rect: Rect(x: 20, y: 0, width: 20, height: 40))
        var loupe = Loupe(center: Point(x: 10, y: 10), radius: 9, zoom: 2, focus: Point(x: 27, y: 20), filter: .nearest)
        let nearest = try Oracle().render(Self.scene(Self.black, [layer], [loupe]), images: ["bar": image])
        #expect(nearest.pixel(5, 10) == Self.gray(12))  // x = 24.75
        #expect(nearest.pixel(6, 10) == Self.gray(60))  // x = 25.25
        #expect(nearest.pixel(16, 10) == Self.gray(112))  // x = 30.25
        loupe.filter = .linear
        let linear = try Oracle().render(Self.scene(Self.black, [layer], [loupe]), images: ["bar": image])
        #expect(linear.pixel(10, 10) == Self.gray(58))  // x = 27.25, texel 1.45: 60 − 0.05·48 = 57.6
        #expect(linear.pixel(13, 10) == Self.gray(73))  // x = 28.75, texel 1.75: 60 + 0.25·52 = 73
    }

    @Test("A loupe that the canvas cuts is drawn as far as it goes, one off the canvas not at all")
    func offCanvas() throws {
        let cut = Self.lookingAtWhite { $0.center = Point(x: -2, y: 22) }
        #expect(try cut.rendered(0, 19) == Self.gray(255))
        #expect(try cut.rendered(4, 19) == Self.gray(0))
        let gone = Self.lookingAtWhite { $0.center = Point(x: -400, y: 9) }
        #expect(try Oracle().render(gone) == Oracle().render(Self.scene(Self.black)))
    }

    @Test("An image that was not given is named")
    func missingImage() throws {
        let layer = Layer(content: .image(path: "a/page.png"), rect: Rect(x: 0, y: 0, width: 4, height: 4))
        #expect(throws: OracleError.missingImage(path: "a/page.png")) {
            try Oracle().render(Self.scene(Self.black, [layer]))
        }
    }
}

extension Image {
    /// Red, green, blue, alpha of the pixel in column x, row y.
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let start = (y * width + x) * 4
        return Array(pixels[start..<start + 4])
    }
}

extension Scene {
    /// One pixel of the scene as the oracle draws it.
    func rendered(_ x: Int, _ y: Int) throws -> [UInt8] {
        try Oracle().render(self).pixel(x, y)
    }
}
