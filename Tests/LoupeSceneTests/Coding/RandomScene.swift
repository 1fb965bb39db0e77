import LoupeBase
import TestSupport

@testable import LoupeBase
@testable import LoupeScene

extension Scene {
    /// Any scene that is allowed, with and without each optional part, ends of ranges included.
    static func random(using random: inout SplitMix64) -> Scene {
        let sides = Canvas.sideRange
        let canvas = Canvas(
            width: .random(in: sides, using: &random), height: .random(in: sides, using: &random),
            background: .random(using: &random))
        return Scene(
            canvas: canvas, blending: Blending.allCases.randomElement(using: &random) ?? .srgb,
            layers: (0..<Int.random(in: 0...3, using: &random)).map { _ in .random(using: &random) },
            loupes: (0..<Int.random(in: 0...3, using: &random)).map { _ in .random(using: &random) }
        ).allowed
    }
}

extension Scene {
    /// Without split loupes where no layer shows an image.
    private var allowed: Scene {
        guard layers.allSatisfy({ $0.imagePath == nil }) else { return self }
        var scene = self
        for index in loupes.indices { scene.loupes[index].split = nil }
        return scene
    }
}

extension Double {
    /// A random number of full precision, of few digits, or an end of the range.
    fileprivate static func any(in range: ClosedRange<Double>, using random: inout SplitMix64) -> Double {
        let number = Double.random(in: range, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return range.lowerBound
        case 1: return range.upperBound
        case 2, 3: return min(max((number * 4).rounded() / 4, range.lowerBound), range.upperBound)
        default: return number
        }
    }
}

extension Color {
    fileprivate static func random(using random: inout SplitMix64) -> Color {
        let bits = random.next()
        return Color(
            red: UInt8(truncatingIfNeeded: bits), green: UInt8(truncatingIfNeeded: bits >> 8),
            blue: UInt8(truncatingIfNeeded: bits >> 16),
            alpha: bits >> 24 & 1 == 0 ? 255 : UInt8(truncatingIfNeeded: bits >> 32))
    }
}

extension Point {
    fileprivate static func random(using random: inout SplitMix64) -> Point {
        let range = JSONReader.coordinateRange
        return Point(x: .any(in: range, using: &random), y: .any(in: range, using: &random))
    }
}

extension Rect {
    fileprivate static func random(using random: inout SplitMix64) -> Rect {
        let origin = Point.random(using: &random)
        return Rect(
            x: origin.x, y: origin.y,
            width: .any(in: JSONReader.sideRange, using: &random),
            height: .any(in: JSONReader.sideRange, using: &random))
    }
}

extension Layer {
    fileprivate static func random(using random: inout SplitMix64) -> Layer {
        let rect = Rect.random(using: &random)
        let crop = Bool.random(using: &random) ? Rect.random(using: &random) : nil
        let paths: [ImagePath] = ["page.png", "../a b/\"ü\"\n😀.png", "\\\u{1}"]
        let content: Content =
            Bool.random(using: &random)
            ? .fill(.random(using: &random)) : .image(path: paths.randomElement(using: &random) ?? "")
        return Layer(
            content: content, rect: rect, crop: crop,
            corner: .random(in: crop ?? rect, using: &random),
            filter: Filter.allCases.randomElement(using: &random) ?? .linear,
            opacity: .any(in: Layer.opacityRange, using: &random),
            strokes: (0..<Int.random(in: 0...2, using: &random)).map { _ in .random(using: &random) })
    }
}

extension Corner {
    fileprivate static func random(in rect: Rect, using random: inout SplitMix64) -> Corner {
        let exponent = Double.any(in: exponentRange, using: &random)
        guard Bool.random(using: &random) else {
            return Corner(radius: .any(in: 0...rect.shorterSide / 2, using: &random), exponent: exponent)
        }
        let isAlike = Bool.random(using: &random)
        let one = CornerRadius(
            x: .any(in: 0...rect.width / 2, using: &random), y: .any(in: 0...rect.height / 2, using: &random))
        let radii = CornerRadii { _ in
            isAlike
                ? one
                : CornerRadius(
                    x: .any(in: 0...rect.width, using: &random), y: .any(in: 0...rect.height, using: &random))
        }
        return Corner(radii: radii, exponent: exponent).fitted(to: rect)
    }
}

extension Loupe.Shape {
    fileprivate static func random(using random: inout SplitMix64) -> Loupe.Shape {
        guard Bool.random(using: &random) else {
            return .circle(radius: .any(in: Loupe.radiusRange, using: &random))
        }
        let sides = Loupe.Rectangle.sideRange
        let (width, height) = (Double.any(in: sides, using: &random), Double.any(in: sides, using: &random))
        let rect = Rect(x: 0, y: 0, width: width, height: height)
        return .rectangle(
            Loupe.Rectangle(width: width, height: height, corner: .random(in: rect, using: &random)))
    }
}

extension Loupe.Split {
    fileprivate static func random(using random: inout SplitMix64) -> Loupe.Split {
        let divider = Divider(width: .any(in: Divider.widthRange, using: &random), color: .random(using: &random))
        return Loupe.Split(
            image: "after \u{1}.png", angle: .any(in: angleRange, using: &random),
            divider: Bool.random(using: &random) ? divider : nil)
    }
}

extension Stroke {
    fileprivate static func random(using random: inout SplitMix64) -> Stroke {
        Stroke(
            points: (0..<Int.random(in: 1...4, using: &random)).map { _ in .random(using: &random) },
            width: .any(in: widthRange, using: &random), color: .random(using: &random))
    }
}

extension Loupe {
    fileprivate static func random(using random: inout SplitMix64) -> Loupe {
        let shape = Shape.random(using: &random)
        let plain = Loupe(center: .zero, shape: shape, zoom: 1)
        let offset = Point.random(using: &random) - Point.zero
        let rim = Rim(
            width: .any(in: 0...plain.radius, using: &random), color: .random(using: &random),
            casing: .maybe(using: &random))
        let shadow = Shadow(
            offset: offset, blur: .any(in: Shadow.blurRange, using: &random), color: .random(using: &random))
        return Loupe(
            center: .random(using: &random), shape: shape, zoom: .any(in: zoomRange, using: &random),
            focus: .random(using: &random), filter: LoupeFilter.allCases.randomElement(using: &random) ?? .linear,
            rim: Bool.random(using: &random) ? rim : nil, shadow: Bool.random(using: &random) ? shadow : nil,
            split: Bool.random(using: &random) ? .random(using: &random) : nil,
            callout: Bool.random(using: &random) ? .random(using: &random) : nil,
            grid: Bool.random(using: &random) ? TexelGrid(color: .random(using: &random)) : nil,
            mark: Bool.random(using: &random) ? .random(using: &random) : nil,
            outside: Outside.allCases.randomElement(using: &random) ?? .background)
    }
}

extension Callout {
    fileprivate static func random(using random: inout SplitMix64) -> Callout {
        let ring = Ring(
            width: .any(in: widthRange, using: &random), color: .random(using: &random), casing: .maybe(using: &random))
        let style = Connector.Style.allCases.randomElement(using: &random) ?? .cone
        let connector = Connector(
            style.shape(width: .any(in: widthRange, using: &random)), color: .random(using: &random),
            casing: .maybe(using: &random))
        return Callout(
            ring: Bool.random(using: &random) ? ring : nil,
            connector: Bool.random(using: &random) ? connector : nil)
    }
}

extension Casing {
    fileprivate static func maybe(using random: inout SplitMix64) -> Casing? {
        let casing = Casing(width: .any(in: Callout.widthRange, using: &random), color: .random(using: &random))
        return Bool.random(using: &random) ? casing : nil
    }
}

extension TexelMark {
    fileprivate static func random(using random: inout SplitMix64) -> TexelMark {
        TexelMark(width: .any(in: Callout.widthRange, using: &random), color: .random(using: &random))
    }
}
