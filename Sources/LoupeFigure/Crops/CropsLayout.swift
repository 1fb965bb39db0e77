import LoupeBase
import LoupeScene

/// The layout of a figure of crops. Lengths are canvas pixels.
///
/// Methods stand in columns and regions in rows, with the whole reference at the left, and further methods in bands beneath
/// those; or methods in rows and regions in columns, with the whole reference above. Crops lie on whole pixels.
struct CropsLayout {
    let figure: CropsFigure
    /// How many canvas pixels a pixel of the widest region has on each side.
    let zoom: Int
    /// How many pictures stand side by side, unless methods are in rows.
    let inBand: Int
    /// The size of text.
    private(set) var text: Double
    /// The names, in one line or two, cut where they are too long.
    private(set) var names: [String]

    /// The size of text on paper, in points, and the smallest one where columns are narrow.
    private static let (points, leastPoints) = (7.0, 5.0)
    /// About how wide a letter and a bold digit are, of the text's size.
    static let (letter, digit) = (0.56, 0.68)

    init(_ figure: CropsFigure, zoom: Int, inBand: Int) {
        (self.figure, self.zoom, self.inBand, text) = (figure, zoom, inBand, 0)
        names = figure.subjects.map { $0.name }
        // The text's size follows from the canvas's width, which depends on it a little.
        for _ in 0..<4 {
            let points = Double(width) / figure.paperWidth / 72
            text = min(max(1, Self.points * points), 1e5)
            guard !figure.isTurned else { continue }
            names = figure.subjects.map { broken($0.name) }
            let widest = Self.width(names, numbers)
            text = min(max(1, Self.leastPoints * points, min(text, room / widest)), 1e5)
        }
        if !figure.isTurned { names = names.map { cut($0) } }
    }

    // MARK: - Names

    private var numbers: [String] {
        figure.measures.flatMap { measure in
            (measure.regions + [measure.whole]).flatMap { measure.texts(of: $0).map { $0.text } }
        }
    }

    /// How wide a text in a column may be.
    private var room: Double { Double(cell) + 0.5 * Double(gutter) }

    /// The width of the widest of some names and numbers, of the text's size.
    private static func width(_ names: [String], _ numbers: [String]) -> Double {
        let letters = names.flatMap { $0.split(separator: "\n") }.reduce(1) { max($0, $1.count) }
        let digits = numbers.reduce(1) { max($0, $1.count) }
        return max(letter * Double(letters), digit * Double(digits))
    }

    /// A name in two lines where it is too long for one: broken nearest to the middle, after a space, hyphen or underscore.
    private func broken(_ name: String) -> String {
        let letters = Array(name)
        guard !letters.contains("\n"), Self.letter * text * Double(letters.count) > room else { return name }
        let ends = letters.indices.dropLast().filter { " -_".contains(letters[$0]) }
        guard let end = ends.min(by: { abs(2 * $0 - letters.count) < abs(2 * $1 - letters.count) }) else { return name }
        return String(letters[..<(letters[end] == " " ? end : end + 1)]) + "\n" + String(letters[(end + 1)...])
    }

    /// A name of which each line fits its column.
    private func cut(_ name: String) -> String {
        let most = max(2, Int(room / (Self.letter * text) + 0.3))
        return name.split(separator: "\n").map { $0.cut(to: most) }.joined(separator: "\n")
    }

    // MARK: - Lengths

    /// The width of the coloured outlines.
    private var border: Int { max(1, Int((0.14 * text).rounded())) }
    /// Between crops side by side.
    private var gutter: Int { 2 * border + max(1, Int((0.25 * text).rounded())) }
    /// Between a crop's outline and its text.
    private var gap: Double { 0.4 * text }
    /// From line to line of numbers.
    private var line: Double { 1.25 * text }
    /// The height of capitals.
    private var capitals: Double { 0.73 * text }
    /// The width of every crop.
    private var cell: Int { zoom * figure.regions.reduce(1) { max($0, $1.width) } }
    /// Beneath a crop, to the next one: its outline, its numbers and a space.
    private var caption: Int {
        2 * border + Int((gap + Double(figure.measures.count - 1) * line + capitals + 0.9 * text).rounded())
    }
    private var cropHeights: [Int] {
        figure.regions.map { max(1, (cell * $0.height + $0.width / 2) / $0.width) }
    }
    private var columns: Int { figure.isTurned ? figure.regions.count : inBand }
    private var bands: Int { figure.isTurned ? 1 : (figure.subjects.count + inBand - 1) / inBand }

    /// The narrowest crop on paper, in inches: 15 mm.
    private static let narrowest = 15 / 25.4

    /// Whether crops are wide enough on paper, and the numbers beneath them no higher than a third of them.
    var isLegible: Bool {
        let numbers = gap + Double(figure.measures.count - 1) * line + capitals
        let isWide = Double(cell) * figure.paperWidth >= Self.narrowest * Double(width)
        return isWide && (figure.measures.isEmpty || 3 * numbers <= Double(cropHeights.min() ?? 0))
    }
    private var gridWidth: Int { columns * cell + (columns - 1) * gutter }

    /// From the top of the first crop to the bottom of the last.
    private var gridHeight: Int {
        let heights = cropHeights
        let rows = figure.isTurned ? figure.subjects.count : figure.regions.count
        let crops = figure.isTurned ? rows * heights.reduce(0, max) : heights.reduce(0, +)
        return crops + (rows - 1) * caption
    }

    /// The whole reference: as high as the crops beside it, and no wider; or as wide as those beneath it.
    private var whole: PixelRect {
        let aspect = Double(figure.size.width) / Double(figure.size.height)
        var width = figure.isTurned ? Double(gridWidth) : min(Double(gridHeight) * aspect, Double(gridWidth))
        width = max(1, width.rounded())
        let height = max(1, (width / aspect).rounded())
        let (x, y) = (figure.isTurned ? left : border, figure.isTurned ? border : top)
        return PixelRect(minX: x, minY: y, maxX: x + Int(width), maxY: y + Int(height))
    }

    /// The left edge of the first crop.
    private var left: Int {
        if figure.isTurned {
            let texts = numbers + figure.measures.map { "whole " + $0.label }
            return Int((Self.width(names, texts) * text + 0.6 * text).rounded(.up)) + border
        }
        let aspect = Double(figure.size.width) / Double(figure.size.height)
        return border + Int(min(Double(gridHeight) * aspect, Double(gridWidth)).rounded()) + 2 * gutter
    }

    /// The top edge of the first crop.
    private var top: Int {
        if figure.isTurned {
            let height = Double(gridWidth) * Double(figure.size.height) / Double(figure.size.width)
            return border + Int(height.rounded()) + 2 * gutter
        }
        let lines = names.reduce(1) { $1.contains("\n") ? 2 : $0 }
        return border + Int((capitals + Double(lines - 1) * 1.17 * text + gap + 0.1 * text).rounded(.up))
    }

    var width: Int { left + gridWidth + border }
    var height: Int { bands * bandHeight - (bands > 1 ? Int((0.9 * text).rounded()) : 0) }
    /// From the top of a band to that of the next one.
    private var bandHeight: Int { bandEnd + (bands > 1 ? Int((0.9 * text).rounded()) : 0) }
    private var bandEnd: Int {
        let end = top + gridHeight + caption
        // Turned, the last numbers are the last thing; else the whole pictures' numbers follow.
        if figure.isTurned { return end - Int((0.6 * text).rounded()) }
        return end + Int((Double(figure.measures.count - 1) * line + capitals + 0.3 * text).rounded(.up))
    }

    /// Where a region of a subject lies.
    private func crop(_ subject: Int, _ region: Int) -> PixelRect {
        let heights = cropHeights
        let (column, row) = figure.isTurned ? (region, subject) : (subject % inBand, region)
        let within = figure.isTurned ? row * heights.reduce(0, max) : heights[..<row].reduce(0, +)
        let above = within + (figure.isTurned ? 0 : subject / inBand * bandHeight)
        let (x, y) = (left + column * (cell + gutter), top + above + row * caption)
        return PixelRect(minX: x, minY: y, maxX: x + cell, maxY: y + heights[region])
    }

    // MARK: - The scene

    var scene: Scene {
        var scene = Scene(canvas: .init(width: width, height: height, background: .defaultRim))
        scene.layers.append(wholeLayer)
        for subject in figure.subjects.indices {
            for region in figure.regions.indices {
                let outline = crop(subject, region).rect.inset(by: -Double(border))
                scene.layers.append(Layer(content: .fill(color(of: region)), rect: outline))
                scene.layers.append(cropLayer(subject, region))
                if let left = figure.leftHalf, subject > 0, subject != left {
                    scene.layers += half(left, of: subject, region)
                }
            }
        }
        scene.labels = figure.isTurned ? turnedLabels : labels
        scene.alt = figure.alternativeText
        return scene
    }

    private func color(of region: Int) -> Color { CropsFigure.palette[region % CropsFigure.palette.count] }

    /// The whole reference with the outlines of the regions, which are white at both sides, to be seen on everything.
    private var wholeLayer: Layer {
        let rect = whole.rect
        var layer = Layer(content: .image(path: figure.subjects[0].image), rect: rect)
        let scale = rect.width / Double(figure.size.width)
        let width = Double(border)
        for (index, region) in figure.regions.enumerated() {
            layer.strokes += Stroke.outline(
                around: region, scale: (scale, scale), in: rect, width: width, color: color(of: index))
        }
        return layer
    }

    /// A region of a picture, as squares where it is enlarged.
    private func cropLayer(_ subject: Int, _ region: Int) -> Layer {
        let (rect, part) = (crop(subject, region).rect, figure.regions[region])
        let filter: Filter = rect.width >= Double(part.width) ? .nearest : .lanczos
        if !figure.subjects[subject].maps.isEmpty {
            return Layer(content: .image(path: figure.subjects[subject].maps[region]), rect: rect, filter: filter)
        }
        let (x, y) = (rect.width / Double(part.width), rect.height / Double(part.height))
        let stretched = Rect(
            x: rect.x - Double(part.minX) * x, y: rect.y - Double(part.minY) * y, width: Double(figure.size.width) * x,
            height: Double(figure.size.height) * y)
        return Layer(
            content: .image(path: figure.subjects[subject].image), rect: stretched, crop: rect, filter: filter)
    }

    /// Another picture in the left half of a method's crop, and a line where they meet.
    private func half(_ other: Int, of subject: Int, _ region: Int) -> [Layer] {
        var (rect, layer) = (crop(subject, region).rect, cropLayer(other, region))
        let otherRect = crop(other, region).rect
        rect.width = (rect.width / 2).rounded()
        layer.rect.x += rect.x - otherRect.x
        layer.rect.y += rect.y - otherRect.y
        layer.crop = rect
        let line = Rect(x: rect.maxX - Double(border) / 2, y: rect.y, width: Double(border), height: rect.height)
        return [layer, Layer(content: .fill(color(of: region)), rect: line)]
    }

    // MARK: - Labels

    private func label(_ text: String, _ x: Double, _ y: Double, _ align: Vector, isBest: Bool = false) -> Label {
        let style = TextStyle(family: figure.family, size: self.text, weight: isBest ? 700 : 400)
        return Label(text, at: .point(Point(x: x, y: y), align: align), style: style)
    }

    /// What stands beneath the crops of a region, and beside them what it is.
    private func captions(_ region: Int) -> [Label] {
        figure.measures.enumerated().flatMap { index, measure -> [Label] in
            let texts = measure.texts(of: measure.regions[region])
            return figure.subjects.indices.map { subject in
                let rect = crop(subject, region).rect
                let y = rect.maxY + Double(border) + gap + Double(index) * line
                let (text, isBest) = subject == 0 ? (measure.label, false) : texts[subject - 1]
                return label(text, rect.center.x, y, Vector(dx: 0.5, dy: 0), isBest: isBest)
            }
        }
    }

    private var labels: [Label] {
        var labels: [Label] = []
        let last = figure.regions.count - 1
        for subject in figure.subjects.indices {
            let rect = crop(subject, 0).rect
            let y = rect.minY - Double(border) - gap
            labels.append(label(names[subject], rect.center.x, y, Vector(dx: 0.5, dy: 1)))
        }
        for region in figure.regions.indices { labels += captions(region) }
        for (index, measure) in figure.measures.enumerated() {
            func y(_ subject: Int) -> Double { Double(crop(subject, last).maxY + caption) + Double(index) * line }
            let end = crop(0, last).rect.maxX
            labels.append(label(measure.title + " of the whole picture", end, y(0), Vector(dx: 1, dy: 0)))
            for (method, (text, isBest)) in measure.texts(of: measure.whole).enumerated() {
                let x = crop(method + 1, last).rect.center.x
                labels.append(label(text, x, y(method + 1), Vector(dx: 0.5, dy: 0), isBest: isBest))
            }
        }
        return labels
    }

    private var turnedLabels: [Label] {
        var labels = figure.regions.indices.flatMap { captions($0) }
        let x = Double(left - border) - 0.5 * text
        let whole = figure.measures.map { $0.texts(of: $0.whole) }
        for (subject, name) in names.enumerated() {
            let rects = figure.regions.indices.map { crop(subject, $0).rect }
            labels.append(label(name, x, rects[0].y, Vector(dx: 1, dy: 0)))
            // The whole pictures' numbers stand beside those of the highest crop.
            let end = rects.reduce(0) { max($0, $1.maxY) } + Double(border) + gap
            for (index, measure) in figure.measures.enumerated() {
                let (text, isBest) = subject == 0 ? ("whole " + measure.label, false) : whole[index][subject - 1]
                labels.append(label(text, x, end + Double(index) * line, Vector(dx: 1, dy: 0), isBest: isBest))
            }
        }
        return labels
    }
}

extension Stroke {
    /// The outline of a block of a picture that a rect shows: around the block, but within the rect. It is white at both sides, to be
    /// seen on everything.
    /// - Parameters:
    ///   - block: in pixels of the picture from the rect's upper left corner on.
    ///   - scale: of a pixel of the picture, in canvas pixels.
    package static func outline(
        around block: PixelRect, scale: (x: Double, y: Double), in rect: Rect, width: Double, color: Color
    ) -> [Stroke] {
        let left = rect.x + max(width, Double(block.minX) * scale.x) - width / 2
        let right = rect.x + min(rect.width - width, Double(block.maxX) * scale.x) + width / 2
        let top = rect.y + max(width, Double(block.minY) * scale.y) - width / 2
        let bottom = rect.y + min(rect.height - width, Double(block.maxY) * scale.y) + width / 2
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)].map {
            Point(x: $0.0, y: $0.1)
        }
        let white = Color(red: 255, green: 255, blue: 255, alpha: 0xcc)
        return [
            Stroke(points: corners, width: 2 * width, color: white),
            Stroke(points: corners, width: width, color: color),
        ]
    }
}

extension PixelRect {
    fileprivate var rect: Rect {
        Rect(x: Double(minX), y: Double(minY), width: Double(width), height: Double(height))
    }
}

extension StringProtocol {
    /// The text, or as much of it as is of a number of letters with an ellipsis.
    func cut(to most: Int) -> String { count <= most ? String(self) : String(prefix(most - 1)) + "…" }
}
