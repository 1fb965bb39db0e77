import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupeScene

/// A figure for people who review a change: the picture as it should be, and below it each place that changed, as it should be
/// and as it is, those with the most differing pixels first.
package struct DifferenceFigure: Sendable {
    /// The figure, to be drawn.
    package let scene: Scene
    /// The images that it shows.
    package let images: [ImagePath: Image]

    init(_ change: ChangedAreas, expected: Image, actual: Image) {
        images = ["expected": expected.flattened, "actual": actual.flattened]
        scene = DifferenceLayout(change, expected, actual).scene
    }

    /// The figure of a comparison of two pictures.
    /// - Throws: ``Missing``, where there is none.
    package init(_ difference: Difference, expected: Image, actual: Image) throws {
        guard let change = difference.change else {
            throw Missing(difference.referenceSize, difference.actualSize, difference.differingPixels)
        }
        self.init(change, expected: expected, actual: actual)
    }

    /// The reason that there is no figure.
    package struct Missing: Error {
        /// A clause of a sentence.
        package let why: String

        init(why: String) { self.why = why }

        init(_ expected: ImageSize, _ actual: ImageSize, _ differingPixels: Int) {
            why =
                expected != actual
                ? "the sizes differ: \(expected) → \(actual)"
                : differingPixels == 0 ? "no pixel differs" : "what differs lies all over the picture"
        }
    }
}

extension CaseResult {
    /// A figure of what changed.
    /// - Throws: ``DifferenceFigure/Missing``, where there is none.
    package func figure() throws -> DifferenceFigure {
        guard let expected = pictures?.reference, let actual = pictures?.actual else {
            throw DifferenceFigure.Missing(why: "the result does not hold both pictures")
        }
        func image(_ text: String) throws(ImageError) -> Image {
            try PNG.decode(Base64.decode(Array(text.utf8)[...]), name: scene.description)
        }
        let images = (expected: try image(expected), actual: try image(actual))
        // Results may have been written by anybody.
        let whole = PixelRect(width: images.expected.width, height: images.expected.height)
        guard images.expected.size == images.actual.size, let change, !change.areas.isEmpty,
            change.areas.allSatisfy({ !$0.bounds.isEmpty && $0.bounds.intersection(whole) == $0.bounds })
        else { throw DifferenceFigure.Missing(images.expected.size, images.actual.size, differingPixels) }
        return DifferenceFigure(change, expected: images.expected, actual: images.actual)
    }
}

/// The layout of a figure of differences. Lengths are canvas pixels, apart from those of the pictures.
private struct DifferenceLayout {
    private let size: ImageSize
    /// At most four, those with the most differing pixels first.
    private let areas: [Box]
    /// How many places more differ.
    private let others: Int
    /// What each place shows of the pictures: all parts have one shape, and one size where none shows too little of it.
    private var parts: [PixelRect]
    /// How many times as high as wide a part is.
    private let shape: Double
    /// Around what differs in each part.
    private let marks: [Mark]
    private let width: Double

    /// How many places stand side by side.
    private var columns: Int { min(areas.count, 2) }
    private var rows: Int { (areas.count + columns - 1) / columns }
    private var text: Double { (width / 70).rounded() }
    private var gap: Double { text }
    private var line: Double { (1.8 * text).rounded() }
    /// The whole picture is as wide as the figure, unless it would be higher than four times that.
    private var page: Rect {
        let inner = width - 2 * gap
        let scale = min(inner / Double(size.width), 4 * inner / Double(size.height))
        return Rect(
            x: gap, y: line, width: max(1, (scale * Double(size.width)).rounded()),
            height: max(1, (scale * Double(size.height)).rounded()))
    }
    private var crop: (width: Double, height: Double) {
        let count = Double(2 * columns)
        let side = ((width - (count + 1) * gap) / count).rounded(.down)
        return (side, max(1, (side * shape).rounded()))
    }

    init(_ change: ChangedAreas, _ expected: Image, _ actual: Image) {
        size = expected.size
        let areas = Array(change.areas.prefix(4))
        self.areas = areas
        others = change.count - areas.count
        width = Double(min(2100, max(900, size.width)))
        let part = Self.part(of: size, showing: areas)
        shape = Double(part.height) / Double(part.width)
        marks = expected.withWords { before in
            actual.withWords { after in areas.map { Mark(in: $0.bounds, before, after) } }
        }
        parts = []
        // A small place beside a large one is shown at twice the scale of the page.
        let usual = min(part.width, Int(crop.width / 2 / page.width * Double(size.width)))
        parts = areas.map { [shape] area in
            let needed = max(usual, area.bounds.width, Int((Double(area.bounds.height) / shape).rounded(.up)))
            let width = min(part.width, needed)
            let height = min(part.height, Int((Double(width) * shape).rounded(.up)))
            return area.bounds.placing(ImageSize(width: width, height: height), within: expected.size)
        }
    }

    /// The size of what each place shows: it holds the largest, and its shape leaves the whole picture at least two fifths of the
    /// figure's height. A figure is at most twice as wide as high, even of a picture that is a narrow strip.
    private static func part(of size: ImageSize, showing areas: [Box]) -> ImageSize {
        var width = areas.reduce(1) { max($0, $1.bounds.width) }
        var height = areas.reduce(1) { max($0, $1.bounds.height) }
        let aspect = Double(size.height) / Double(size.width)
        // How much of the figure's width all rows of crops are high, for a part that is a square.
        let rows = areas.count == 2 ? 0.25 : 0.5
        let least = max(0.25, (0.5 - aspect) / rows)
        let most = max(least, min(1, 1.5 * aspect / rows))
        if Double(height) > most * Double(width) { width = Int((Double(height) / most).rounded(.up)) }
        if Double(height) < least * Double(width) { height = Int((least * Double(width)).rounded(.up)) }
        return ImageSize(width: min(width, size.width), height: min(height, size.height))
    }

    var scene: Scene {
        let end = page.maxY + Double(rows) * (line + crop.height + gap)
        let height = end + (others > 0 ? line : 0)
        var scene = Scene(
            canvas: .init(width: Int(width), height: max(1, Int(height.rounded(.up))), background: .defaultRim),
            layers: [wholeLayer])
        scene.labels = [label("Expected", at: Point(x: gap, y: line / 2))]
        for index in areas.indices {
            let x = gap + Double(index % columns) * 2 * (crop.width + gap)
            let top = page.maxY + Double(index / columns) * (line + crop.height + gap)
            let count = areas[index].differingPixels
            let move = marks[index].move
            let numbers =
                move != .none
                ? "moved by (\(move.x), \(move.y)) px" : count == 1 ? "1 pixel differs" : "\(count) pixels differ"
            for (column, (image, title)) in [("expected", "expected"), ("actual", "actual: \(numbers)")].enumerated() {
                let place = Rect(
                    x: x + Double(column) * (crop.width + gap), y: top + line, width: crop.width, height: crop.height)
                scene.layers.append(cropLayer(ImagePath(image), index, at: place, isActual: column == 1))
                scene.labels.append(label("\(index + 1) \(title)", at: Point(x: place.x, y: top + line / 2)))
            }
        }
        if others > 0 {
            let words = others == 1 ? "and a smaller place" : "and \(others) smaller places"
            scene.labels.append(label(words, at: Point(x: gap, y: end + line / 4)))
        }
        let places = areas.count == 1 ? "one place" : "\(areas.count) places"
        scene.alt = "The picture as it should be, and \(places) in which it differs, each as it should be and as it is."
        return scene
    }

    private func color(_ index: Int) -> Color { CropsFigure.palette[index % CropsFigure.palette.count] }

    private func label(_ text: String, at point: Point) -> Label {
        Label(text, at: .point(point, align: Vector(dx: 0, dy: 0.5)), style: TextStyle(size: self.text))
    }

    /// The whole picture with the outline of each part.
    private var wholeLayer: Layer {
        var layer = Layer(content: .image(path: "expected"), rect: page)
        for index in parts.indices.reversed() {
            layer.strokes += outline(
                of: parts[index], of: page, showing: PixelRect(width: size.width, height: size.height), index)
        }
        return layer
    }

    /// A part of a picture in its colour, as squares where it is enlarged. What moved is marked in both pictures, with a line from
    /// where it was.
    private func cropLayer(_ image: ImagePath, _ index: Int, at place: Rect, isActual: Bool) -> Layer {
        let part = parts[index]
        let (x, y) = (place.width / Double(part.width), place.height / Double(part.height))
        let stretched = Rect(
            x: place.x - Double(part.minX) * x, y: place.y - Double(part.minY) * y, width: Double(size.width) * x,
            height: Double(size.height) * y)
        var layer = Layer(
            content: .image(path: image), rect: stretched, crop: place, filter: x >= 1 ? .nearest : .lanczos)
        layer.strokes = outline(of: part, of: place, showing: part, index)
        let mark = marks[index]
        if isActual || mark.move != .none {
            let block = (isActual ? mark.actual : mark.expected).grown(in: part)
            if block != part { layer.strokes += outline(of: block, of: place, showing: part, index) }
        }
        if isActual, mark.move != .none {
            let block = mark.actual.grown(in: part)
            let move = Vector(dx: Double(mark.move.x) * x, dy: Double(mark.move.y) * y)
            // The line ends where it meets the outline, so that it strikes nothing through.
            let half = (x: Double(block.width) / 2 * x, y: Double(block.height) / 2 * y)
            let edge = min(half.x / max(abs(move.dx), 1e-9), half.y / max(abs(move.dy), 1e-9))
            let ends = [1 + edge, edge].map {
                Point(
                    x: place.x + Double(block.minX - part.minX) * x + half.x - move.dx * $0,
                    y: place.y + Double(block.minY - part.minY) * y + half.y - move.dy * $0)
            }
            layer.strokes += [
                Stroke(points: ends, width: text * 2 / 5, color: .defaultRim),
                Stroke(points: ends, width: text / 5, color: color(index)),
            ]
        }
        return layer
    }

    /// The outline of a block of pixels, within a rect that shows a part of the picture.
    private func outline(of block: PixelRect, of rect: Rect, showing part: PixelRect, _ index: Int) -> [Stroke] {
        let scale = (x: rect.width / Double(part.width), y: rect.height / Double(part.height))
        let moved = PixelRect(
            minX: block.minX - part.minX, minY: block.minY - part.minY, maxX: block.maxX - part.minX,
            maxY: block.maxY - part.minY)
        return Stroke.outline(around: moved, scale: scale, in: rect, width: text / 5, color: color(index))
    }
}

/// The blocks of a difference in both pictures; they are equal where it did not move.
private struct Mark {
    let expected: PixelRect
    let actual: PixelRect
    var move: LumaPlane.Offset { .init(x: actual.minX - expected.minX, y: actual.minY - expected.minY) }

    /// - Parameter area: holds what differs.
    init(in area: PixelRect, _ before: PixelGrid, _ after: PixelGrid) {
        var rows: ClosedRange<Int>?
        var columns: ClosedRange<Int>?
        for y in area.minY..<area.maxY {
            for x in area.minX..<area.maxX where before[x, y] != after[x, y] {
                rows = min(rows?.lowerBound ?? y, y)...y
                columns = min(columns?.lowerBound ?? x, x)...max(columns?.upperBound ?? x, x)
            }
        }
        guard let rows, let columns else {
            (expected, actual) = (area, area)
            return
        }
        let box = PixelRect(
            minX: columns.lowerBound, minY: rows.lowerBound, maxX: columns.upperBound + 1, maxY: rows.upperBound + 1)
        let found = LumaPlane(before, in: box).offset(of: LumaPlane(after, in: box))
        let move = found.explains(before, after, in: box) ? found : .none
        expected = PixelRect(
            minX: box.minX - min(0, move.x), minY: box.minY - min(0, move.y), maxX: box.maxX - max(0, move.x),
            maxY: box.maxY - max(0, move.y))
        actual = PixelRect(
            minX: expected.minX + move.x, minY: expected.minY + move.y, maxX: expected.maxX + move.x,
            maxY: expected.maxY + move.y)
    }
}

extension PixelRect {
    /// A block of a size with this one in its middle, as far as a picture allows.
    fileprivate func placing(_ size: ImageSize, within picture: ImageSize) -> PixelRect {
        let x = Swift.max(0, Swift.min((minX + maxX - size.width) / 2, picture.width - size.width))
        let y = Swift.max(0, Swift.min((minY + maxY - size.height) / 2, picture.height - size.height))
        return PixelRect(minX: x, minY: y, maxX: x + size.width, maxY: y + size.height)
    }

    /// A block around this one with some pixels between, within another.
    fileprivate func grown(in part: PixelRect) -> PixelRect {
        let room = Swift.max(2, Swift.min(part.width, part.height) / 24)
        return PixelRect(minX: minX - room, minY: minY - room, maxX: maxX + room, maxY: maxY + room).intersection(part)
    }
}
