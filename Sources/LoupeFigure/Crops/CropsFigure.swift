import LoupeBase
import LoupeScene

/// A figure that compares pictures by crops: a reference as a whole, and the same regions of it and of each method side by
/// side, with numbers.
package struct CropsFigure: Hashable, Sendable {
    /// The reference, or a method.
    package struct Subject: Hashable, Sendable {
        /// Its title.
        package var name: String
        /// The picture.
        package var image: ImagePath
        /// Pictures in place of its crops, of the regions' sizes; empty for none.
        package var maps: [ImagePath] = []

        /// A picture and its title.
        package init(name: String, image: ImagePath) { (self.name, self.image) = (name, image) }
    }

    /// The numbers of a metric.
    package struct Measure: Hashable, Sendable {
        /// The metric's name in options, such as flip.
        package var name: String
        /// The metric's name in a figure, such as FLIP.
        package var title: String
        /// Whether the highest number is the best, and not the lowest.
        package var isHigherBetter: Bool
        /// The fewest digits after the point.
        package var decimals: Int
        /// Of the whole pictures, by method.
        package var whole: [Double]
        /// By region, then by method.
        package var regions: [[Double]]

        /// The numbers of a metric.
        package init(
            name: String, title: String, isHigherBetter: Bool, decimals: Int, whole: [Double], regions: [[Double]]
        ) {
            (self.name, self.title, self.isHigherBetter, self.decimals) = (name, title, isHigherBetter, decimals)
            (self.whole, self.regions) = (whole, regions)
        }
    }

    /// The size of all pictures.
    package var size: ImageSize
    /// The reference, then the methods.
    package var subjects: [Subject]
    /// Within the pictures, not empty.
    package var regions: [PixelRect]
    /// One line of numbers each.
    package var measures: [Measure]
    /// Whether regions stand in columns and methods in rows.
    package var isTurned = false
    /// The picture that the left half of each other method's crop shows, as an index of `subjects`; nil for none.
    package var leftHalf: Int?
    /// How many canvas pixels a pixel of the widest region has on each side; nil for as many as a figure needs.
    package var zoom: Int?
    /// The figure's width on paper, in inches, for which text has its size.
    package var paperWidth = 7.0
    /// The font's family.
    package var family = "sans-serif"

    /// A figure with a column for each picture.
    package init(size: ImageSize, subjects: [Subject], regions: [PixelRect], measures: [Measure]) {
        (self.size, self.subjects, self.regions, self.measures) = (size, subjects, regions, measures)
    }

    /// The least width of a figure, in canvas pixels: 300 pixels an inch on 7 inches.
    private static let leastWidth = 2100
    /// The colours that tell places apart: blue, orange, green, plum, rust and lavender; further ones begin again. Each has a
    /// contrast of 3 with white and with near-black paper, and any two are 0.11 apart in OKLab, also as people see them who lack
    /// a kind of cone (G. Machado and others, 2009).
    package static let palette: [Color] = [
        Color(red: 0x00, green: 0x60, blue: 0xe4), Color(red: 0xe4, green: 0x6c, blue: 0x00),
        Color(red: 0x00, green: 0xa8, blue: 0x78), Color(red: 0x90, green: 0x60, blue: 0x9c),
        Color(red: 0xb4, green: 0x48, blue: 0x00), Color(red: 0x9c, green: 0x84, blue: 0xe4),
    ]

    /// A figure that is larger than a canvas may be.
    package struct TooLarge: Error, Hashable, CustomStringConvertible {
        /// What its canvas would be, in pixels.
        package let width, height: Int

        /// One sentence without a full stop, as the command prints it.
        package var description: String {
            "the figure would have \(width)×\(height) pixels; allowed is 1…16384 each way; make the regions smaller, or show fewer pictures"
        }
    }

    /// The figure as a scene.
    package func scene() throws(TooLarge) -> Scene {
        let allowed = Scene.Canvas.sideRange
        var layout = self.layout(inBand: subjects.count)
        // Bands of one number of pictures, or almost.
        for bands in 2..<max(3, subjects.count) where !isTurned && !layout.isLegible && subjects.count > 2 {
            let next = self.layout(inBand: (subjects.count + bands - 1) / bands)
            guard allowed.contains(next.height) || !allowed.contains(layout.width) else { break }
            layout = next
        }
        guard allowed.contains(layout.width), allowed.contains(layout.height) else {
            throw TooLarge(width: layout.width, height: layout.height)
        }
        return layout.scene
    }

    /// The layout of a number of pictures side by side, as large as the figure needs.
    private func layout(inBand: Int) -> CropsLayout {
        let allowed = Scene.Canvas.sideRange
        var layout = CropsLayout(self, zoom: zoom ?? 1, inBand: inBand)
        while zoom == nil, layout.width < Self.leastWidth {
            let next = CropsLayout(self, zoom: layout.zoom + 1, inBand: inBand)
            guard allowed.contains(next.width), allowed.contains(next.height) else { break }
            layout = next
        }
        return layout
    }

    /// What the figure shows, for readers who can't see it.
    package var alternativeText: String {
        let places = regions.count == 1 ? "a region" : "\(regions.count) regions"
        var text =
            "\(subjects[0].name) and crops of it at \(places), beside those of \(subjects.dropFirst().map { $0.name }.joined(separator: ", "))."
        for measure in measures {
            let numbers = zip(subjects.dropFirst(), measure.texts(of: measure.whole)).map { "\($0.name) \($1.text)" }
            let better = measure.isHigherBetter ? "higher" : "lower"
            text += " \(measure.title) of the whole pictures, \(better) is better: \(numbers.joined(separator: ", "))."
        }
        return text.unicodeScalars.count <= Label.longestText ? text : String(text.prefix(Label.longestText - 1)) + "…"
    }
}

extension Scene {
    /// What each loupe shows of the page, in whole pixels of it, so that equal loupes show equally many: of a disc the square
    /// around it. Loupes that show nothing of the page are left out.
    /// - Parameter size: of the page's image, in pixels.
    package func shownRegions(ofPageOf size: ImageSize) -> [PixelRect] {
        guard let rect = page?.rect else { return [] }
        let scale = (x: Double(size.width) / rect.width, y: Double(size.height) / rect.height)
        /// A length in pixels, and the first one, which lies so far from the middle.
        func side(_ middle: Double, _ length: Double) -> (first: Int, count: Int) {
            let count = max(1, length.rounded())
            return (Int((middle - count / 2).rounded().clamped(to: -1e6...1e6)), Int(min(count, 1e6)))
        }
        return loupes.compactMap { loupe in
            let (focus, half) = (shownFocus(of: loupe), (1 / loupe.zoom) * loupe.halfSides)
            let across = side((focus.x - rect.x) * scale.x, 2 * half.dx * scale.x)
            let down = side((focus.y - rect.y) * scale.y, 2 * half.dy * scale.y)
            let shown = PixelRect(
                minX: across.first, minY: down.first, maxX: across.first + across.count, maxY: down.first + down.count
            ).intersection(PixelRect(width: size.width, height: size.height))
            return shown.isEmpty ? nil : shown
        }
    }
}

// MARK: - Numbers

extension CropsFigure {
    /// All numbers, for machines.
    package var json: JSONValue {
        func numbers(_ rect: PixelRect) -> JSONValue {
            .array([rect.minX, rect.minY, rect.width, rect.height].map { .number(Double($0)) })
        }
        let methods = subjects.dropFirst().enumerated().map { index, subject -> JSONValue in
            let numbers = measures.map { measure -> (String, JSONValue?) in
                let regions = measure.regions.map { JSONValue.number($0[index]) }
                return (measure.name, ["whole": .number(measure.whole[index]), "regions": .array(regions)])
            }
            return [
                "title": .string(subject.name), "file": .string(subject.image.description),
                "numbers": .object(JSONObject(numbers)),
            ]
        }
        return [
            "reference": .string(subjects[0].image.description),
            "size": [.number(Double(size.width)), .number(Double(size.height))],
            "regions": .array(regions.map(numbers)),
            "better": .object(JSONObject(measures.map { ($0.name, .string($0.isHigherBetter ? "higher" : "lower")) })),
            "methods": .array(methods), "alt": .string(alternativeText),
        ]
    }
}

extension CropsFigure.Measure {
    /// The metric with an arrow to the better side.
    package var label: String { title + (isHigherBetter ? " ↑" : " ↓") }

    /// Numbers as texts, and whether each is the best of several. Numbers that look alike are alike.
    package func texts(of values: [Double]) -> [(text: String, isBest: Bool)] {
        let digits = digits
        let best = (isHigherBetter ? values.max() : values.min()).map { Self.text($0, digits) }
        return values.map { value in
            let text = Self.text(value, digits)
            return (text, text == best && values.count > 1)
        }
    }

    /// As many digits after the point as the smallest number needs to be no 0, and as it takes to tell numbers apart that
    /// three more digits would tell apart; at most 6.
    private var digits: Int {
        let groups = regions + [whole]
        let smallest = groups.flatMap { $0 }.filter { $0 > 0 }.min() ?? 1
        var least = decimals
        while decimals > 0, least < 6, smallest * Self.power(least) < 1 { least += 1 }
        func count(_ digits: Int) -> Int {
            groups.reduce(0) { $0 + Set($1.map { Self.text($0, digits) }).count }
        }
        let most = max(least, min(6, least + 3))
        return (least...most).first { count($0) == count(most) } ?? most
    }

    private static func power(_ digits: Int) -> Double { (0..<digits).reduce(1) { power, _ in 10 * power } }

    /// A number with so many digits after the point.
    static func text(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite else { return value < 0 ? "−∞" : "∞" }
        let scaled = (abs(value) * power(digits)).rounded()
        guard scaled < 1e15 else { return "\(value)" }
        let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: Int(power(digits)))
        let sign = value < 0 && scaled > 0 ? "−" : ""
        if digits == 0 { return "\(sign)\(whole)" }
        let decimals = "\(rest)"
        return "\(sign)\(whole)." + String(repeating: "0", count: digits - decimals.utf8.count) + decimals
    }
}
