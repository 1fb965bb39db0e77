import Glibc
import LoupeFiles
import LoupeGeometry
import LoupeImaging
import LoupePipeline
import LoupePlan
import LoupeScene
import TestSupport
import Testing

/// The default style on pages of every kind: rims, rings and connectors are seen nearly everywhere.
@Suite struct DefaultLookTests {
    private static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

    /// Light, dark and coloured; text, plots, a photograph, pixel art; opaque and transparent.
    private static let pages: [String] =
        ["notebook", "interface", "photograph", "alpha", "checker"].map { "reference-images/pages/\($0).png" }
        + ["interface-light", "interface-dark", "scatter", "sprite", "plot-transparent"].map {
            "examples/pages/\($0).png"
        }
        + ["white", "black", "#d0d0d0", "#777777"]

    /// Every grey, and colours of six steps a channel.
    private static let plains: [String] = {
        let greys = (0...255).map { UInt8($0) }.map { Color(red: $0, green: $0, blue: $0) }
        let steps = stride(from: 0, through: 255, by: 51).map { UInt8($0) }
        let colors = steps.flatMap { red in
            steps.flatMap { green in steps.map { Color(red: red, green: green, blue: $0) } }
        }
        return (greys + colors).map(\.hex)
    }()

    /// Gradients from one side to the other, and noise about a grey.
    private static let mixtures: [String] = {
        let ends = ["#000000", "#ffffff", "#d0d0d0", "#808080", "#ffd60a", "#0050ff", "#e5484d", "#30d158"]
        let gradients = ends.flatMap { from in ends.filter { $0 > from }.map { "\(from)..\($0)" } }
        let noises = stride(from: 0, through: 255, by: 15).flatMap { grey in
            [20, 60, 255].map { "noise \(grey) \($0)" }
        }
        return gradients + noises
    }()

    private static func image(_ name: String) throws -> Image {
        if name.hasSuffix(".png") { return try ImageFile.read(path: Path(root + "/" + name)) }
        if name.hasPrefix("noise") { return try noise(name) }
        let ends = try name.split(separator: ".").map { try #require(Color(text: String($0))) }
        let (width, height) = (300, 200)
        let row = (0..<width).flatMap { x -> [UInt8] in
            let share = Double(x) / Double(width - 1)
            func channel(_ path: KeyPath<Color, UInt8>) -> UInt8 {
                let (first, last) = (Double(ends[0][keyPath: path]), Double(ends[ends.count - 1][keyPath: path]))
                return UInt8((first + share * (last - first)).rounded())
            }
            return [channel(\.red), channel(\.green), channel(\.blue), 255]
        }
        return Image(width: width, height: height, pixels: (0..<height).flatMap { _ in row })
    }

    /// Each channel of each pixel differs from a grey by a random number up to a limit.
    private static func noise(_ name: String) throws -> Image {
        let numbers = name.split(separator: " ").compactMap { Int($0) }
        let (grey, limit) = (numbers[0], numbers[1])
        var random = SplitMix64(seed: 7)
        let (width, height) = (300, 200)
        var pixels: [UInt8] = []
        for _ in 0..<width * height {
            for _ in 0..<3 {
                let value = grey + Int.random(in: -limit...limit, using: &random)
                pixels.append(UInt8(min(max(value, 0), 255)))
            }
            pixels.append(255)
        }
        return Image(width: width, height: height, pixels: pixels)
    }

    /// A page of at least 400 pixels a side with a callout, its lengths at random.
    private static func scene(_ page: ImageSize, using random: inout SplitMix64) -> Scene {
        let scale = max(1, 400 / Double(min(page.width, page.height)))
        let (width, height) = (Int(Double(page.width) * scale), Int(Double(page.height) * scale))
        let side = Double(min(width, height))
        func point(_ inset: Double) -> Point {
            Point(
                x: .random(in: inset...Double(width) - inset, using: &random),
                y: .random(in: inset...Double(height) - inset, using: &random))
        }
        var loupe = Loupe(center: point(side / 6), radius: side / 6, zoom: 4, focus: point(side / 12))
        while loupe.center.distance(to: loupe.focus) < side * 0.4 {
            (loupe.center, loupe.focus) = (point(side / 6), point(side / 12))
        }
        loupe.callout = Callout(ring: .init(), connector: Connector(.lines(width: 2)))
        return Scene(
            canvas: .init(width: width, height: height),
            layers: [
                Layer(
                    content: .image(path: "page"),
                    rect: Rect(x: 0, y: 0, width: Double(width), height: Double(height)), filter: .nearest)
            ], loupes: [loupe])
    }

    /// Pictures with and without the loupe, over white where they are translucent.
    private struct Pictures {
        let with: Image
        let without: Image

        static func color(_ image: Image, _ point: Point) -> OKLab? {
            let (x, y) = (Int(point.x.rounded(.down)), Int(point.y.rounded(.down)))
            guard 0..<image.width ~= x, 0..<image.height ~= y else { return nil }
            let index = (y * image.width + x) * 4
            let alpha = Double(image.pixels[index + 3]) / 255
            func channel(_ offset: Int) -> UInt8 {
                UInt8((Double(image.pixels[index + offset]) * alpha + 255 * (1 - alpha)).rounded())
            }
            return OKLab(Color(red: channel(0), green: channel(1), blue: channel(2)))
        }

        /// Whether one of some points of the drawn picture differs from what lies there without the loupe; nil off the canvas.
        func isSeen(_ points: [Point], over ground: Point) -> Bool? {
            guard let below = Self.color(without, ground) else { return nil }
            return points.compactMap { Self.color(with, $0) }.contains { $0.contrast(to: below) >= 0.2 }
        }
    }

    private static func share(_ seen: [Bool?]) -> Double {
        let known = seen.compactMap { $0 }
        return known.isEmpty ? 1 : Double(known.filter { $0 }.count) / Double(known.count)
    }

    /// The parts of the rim, the ring and the connector that are seen.
    private static func shares(of loupe: Loupe, _ pictures: Pictures) throws -> (
        rim: Double, ring: Double, lines: Double
    ) {
        let rim = try #require(loupe.rim)
        let casing = try #require(rim.casing).width
        let angles = (0..<720).map { Double($0) / 360 * .pi }
        func point(_ center: Point, _ radius: Double, _ angle: Double) -> Point {
            center + radius * Vector(dx: cos(angle), dy: sin(angle))
        }
        let rims = angles.map { angle -> Bool? in
            let reaches = [-rim.width / 2, casing / 2, casing / 2 - 0.4, casing / 2 + 0.4]
            return pictures.isSeen(
                reaches.map { point(loupe.center, loupe.radius + $0, angle) },
                over: point(loupe.center, loupe.radius + casing / 2, angle))
        }
        let ring = try #require(loupe.callout?.ring)
        let (band, cased) = (ring.width, try #require(ring.casing).width)
        let source = loupe.radius / loupe.zoom
        let rings = angles.map { angle -> Bool? in
            let middle = point(loupe.focus, source + cased + band / 2, angle)
            guard middle.distance(to: loupe.center) > loupe.radius + 3 else { return nil }
            let outer = point(loupe.focus, source + 1.5 * cased + band, angle)
            // Where a line meets the ring, that line takes the outer casing's place.
            let inner = point(loupe.focus, source + cased / 2, angle)
            return pictures.isSeen([middle, outer, inner], over: middle)
        }
        // The tangents' normals: across the way between the centres, turned by the difference of the radii.
        let way = loupe.center - loupe.focus
        let (edge, heading) = (source + cased + band, atan2(way.dy, way.dx))
        let turn = acos((edge - loupe.radius) / way.length)
        let width = try #require(loupe.callout?.connector?.shape.width)
        let lines = [heading + turn, heading - turn].flatMap { normal -> [Bool?] in
            let (start, end) = (point(loupe.focus, edge, normal), point(loupe.center, loupe.radius, normal))
            return (0..<300).map { step in
                let on = start + (Double(step) / 300) * (end - start)
                guard on.distance(to: loupe.center) > loupe.radius + 3, on.distance(to: loupe.focus) > edge + 2 else {
                    return nil
                }
                let middle = point(on, -width / 2, normal)
                return pictures.isSeen([middle, point(on, cased / 2, normal)], over: middle)
            }
        }
        return (share(rims), share(rings), share(lines))
    }

    @Test(arguments: Sample.of(pages, every: 5))
    func linesAreSeenOverAtLeast95PercentOfTheirLength(page: String) throws {
        try Self.tryLoupes(on: page, count: Sample.count(3, whole: 20))
    }

    @Test(arguments: Sample.of(plains, every: 95) + Sample.of(mixtures, every: 27))
    func linesAreSeenOnEveryColor(page: String) throws {
        try Self.tryLoupes(on: page, count: Sample.count(1, whole: 3))
    }

    private static func tryLoupes(on page: String, count: Int) throws {
        var random = SplitMix64(seed: 20)
        let image = try image(page)
        let folder = TemporaryFolder()
        _ = folder.put(try PNG.encode(image), "page")
        let pipeline = Pipeline()
        for _ in 0..<count {
            var scene = scene(image.size, using: &random)
            let style = DefaultStyle(given: [[]])
            scene = style.shaped(scene)
            var file = SceneFile(
                scene, images: ImageSource(besideDocument: Path(folder.file("x")), allowsOutside: true))
            (file.style, file.keepsTransparency) = (style, true)
            let complete = try file.completeScene()
            var bare = complete
            bare.loupes = []
            let images = ["page" as ImagePath: image]
            let pictures = Pictures(
                with: try pipeline.render(complete, images: images).image,
                without: try pipeline.render(bare, images: images).image)
            let shares = try shares(of: complete.loupes[0], pictures)
            #expect(shares.rim >= 0.95, "the rim on \(page): \(complete.loupes[0])")
            #expect(shares.ring >= 0.95, "the ring on \(page): \(complete.loupes[0])")
            #expect(shares.lines >= 0.95, "the lines on \(page): \(complete.loupes[0])")
            // What a device draws is that very scene.
            #expect(try pipeline.render(file).image.pixels == pictures.with.pixels)
        }
    }
}
