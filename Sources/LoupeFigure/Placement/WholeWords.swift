import LoupeBase
import LoupeScene

/// Views of a drawing that cut no words: for callouts of a point of which nothing says how much they show.
///
/// One zoom for all, at which no rim runs through a word; or else, in boxes, the words there in whole lines.
struct WholeWords {
    /// The boxes of words, in canvas pixels.
    private let words: [Rect]
    /// The page, in canvas pixels.
    private let page: Rect
    /// The radius of what a disc shows, in canvas pixels.
    private let shown: Double
    /// The width of a ring, which lies around what is shown, in canvas pixels.
    private let ring: Double

    /// The zooms that are tried.
    private static let zooms = [LoupeRequest.defaultZoom, 3.5, 4, 4.5, 5]
    /// How much of what a disc shows its box begins with, in radii of that: less where boxes would overlap, or be too large.
    private static let reaches = [0.8, 0.5, 0.25]
    /// The largest size of a box, and the height of words, in radii of what a disc shows.
    private static let (longest, highest, wordHeight) = (12.0, 6.0, 1.0)
    /// What is smaller is no word but a tick or a dot, in radii of what a disc shows.
    private static let leastWord = 0.1
    /// The size of a box around a point without words, in the same.
    private static let emptyBox = Vector(dx: 2.3, dy: 1.7)
    /// How much around its point a box shows at least, in the same.
    private static let leastAround = 0.25

    /// - Parameters:
    ///   - words: boxes of words, in the page's own pixels.
    ///   - radius: of a loupe for which none is given, in canvas pixels.
    ///   - ring: the width of one, in canvas pixels.
    init(_ words: [Rect], on page: PlacedPage, radius: Double, ring: Double) {
        let shown = radius / LoupeRequest.defaultZoom
        (self.page, self.shown, self.ring) = (page.rect, shown, ring)
        self.words = words.compactMap { box in
            let corner = page.canvasPoint(box.minX, box.minY)
            let size = page.canvasPoint(box.maxX, box.maxY) - corner
            let isWord = size.dy <= Self.wordHeight * shown && size.dx <= Self.longest * shown
            guard isWord, max(size.dx, size.dy) >= Self.leastWord * shown else { return nil }
            return Rect(x: corner.x, y: corner.y, width: size.dx, height: size.dy)
        }
    }

    /// The least zoom at which no disc has a word under its rim, or under its ring; nil where there is none.
    /// - Parameter discs: the point at the middle of what each shows, and its radius, in canvas pixels.
    func zoom(ofDiscs discs: [(point: Point, radius: Double)]) -> Double? {
        let tolerance = 0.04 * shown
        return Self.zooms.first { zoom in
            !words.contains { word in
                guard word.height >= Self.leastWord * shown else { return false }
                return discs.contains { disc in
                    let reach = disc.radius / zoom
                    return word.distance(to: disc.point) < reach + ring - tolerance
                        && word.farthest(from: disc.point) > reach + tolerance
                }
            }
        }
    }

    /// A box for each point, none over another: of whole lines of words, or of what a disc would show where there are no words.
    /// Several answers, from many words to few; none where those of a point are too many, or most points have none.
    func boxes(around points: [Point]) -> [[Rect]] {
        Self.reaches.compactMap { reach in
            var boxes: [Rect] = []
            var empty = 0
            for point in points {
                guard let lines = lines(around: point, within: reach * shown) else { return nil }
                if isText(lines) {
                    boxes.append(box(of: lines, around: point))
                } else {
                    empty += 1
                    boxes.append(emptyBox(around: point))
                }
            }
            let isClear = boxes.indices.allSatisfy { index in
                boxes[..<index].allSatisfy { !$0.overlaps(boxes[index]) }
            }
            return isClear && 2 * empty <= points.count ? boxes : nil
        }
    }

    /// What a disc would show, but for the form, as far as the page reaches.
    private func emptyBox(around point: Point) -> Rect {
        let (width, height) = (Self.emptyBox.dx * shown, Self.emptyBox.dy * shown)
        let x = (point.x - width / 2).clamped(to: page.minX...max(page.minX, page.maxX - width))
        let y = (point.y - height / 2).clamped(to: page.minY...max(page.minY, page.maxY - height))
        return Rect(x: x, y: y, width: width, height: height)
    }

    /// What a box shows at least.
    private func least(around point: Point) -> Rect {
        Rect(center: point, width: 2 * Self.leastAround * shown, height: 2 * Self.leastAround * shown)
    }

    /// The words near a point, and those that are in line with them; nil where they are too many.
    private func lines(around point: Point, within reach: Double) -> [Int]? {
        var lines = words.indices.filter { words[$0].distance(to: point) < reach }
        var others = words.indices.filter { words[$0].distance(to: point) >= reach }
        while let all = bounds(of: lines)?.union(least(around: point)) {
            guard all.width <= Self.longest * shown, all.height <= Self.highest * shown else { return nil }
            let new = others.filter { index in
                let word = words[index]
                return word.overlaps(all)
                    || word.minY < all.maxY && word.maxY > all.minY && lines.contains { words[$0].isInLine(with: word) }
            }
            if new.isEmpty { break }
            lines += new
            others.removeAll { new.contains($0) }
        }
        return lines
    }

    /// Whether pieces are words for the larger part, and not the markers of a plot, which are as wide as high.
    private func isText(_ lines: [Int]) -> Bool {
        let all = lines.reduce(0) { $0 + words[$1].width }
        let wide = lines.reduce(0) { $0 + (words[$1].width >= 1.5 * words[$1].height ? words[$1].width : 0) }
        return all > 0 && 2 * wide >= all
    }

    private func bounds(of lines: [Int]) -> Rect? {
        lines.dropFirst().reduce(lines.first.map { words[$0] }) { $0?.union(words[$1]) }
    }

    /// The words and what is around the point, with half a line of margin, or so little that there is room for a ring before
    /// other words.
    private func box(of lines: [Int], around point: Point) -> Rect {
        let inner = bounds(of: lines)?.union(least(around: point)) ?? least(around: point)
        let heights = lines.map { words[$0].height }.sorted()
        let most = heights[heights.count / 2] / 2
        let wide = inner.inset(by: -most)
        // The ring lies beyond the box, and as much of the loupe's rim within it.
        func margin(_ gap: Double) -> Double { max(gap - ring, min(gap, ring)) / 2 }
        var (left, top, right, bottom) = (most, most, most, most)
        for word in words where !inner.contains(word) {
            if word.minX < wide.maxX, word.maxX > wide.minX {
                if word.maxY <= inner.minY { top = min(top, margin(inner.minY - word.maxY)) }
                if word.minY >= inner.maxY { bottom = min(bottom, margin(word.minY - inner.maxY)) }
            }
            if word.minY < wide.maxY, word.maxY > wide.minY {
                if word.maxX <= inner.minX { left = min(left, margin(inner.minX - word.maxX)) }
                if word.minX >= inner.maxX { right = min(right, margin(word.minX - inner.maxX)) }
            }
        }
        let (x, y) = (max(page.minX, inner.minX - left), max(page.minY, inner.minY - top))
        return Rect(
            x: x, y: y, width: min(page.maxX, inner.maxX + right) - x,
            height: min(page.maxY, inner.maxY + bottom) - y)
    }
}

extension Rect {
    /// How far a point lies beyond it.
    fileprivate func distance(to point: Point) -> Double {
        Vector(dx: max(0, minX - point.x, point.x - maxX), dy: max(0, minY - point.y, point.y - maxY)).length
    }

    /// How far its farthest corner is from a point.
    fileprivate func farthest(from point: Point) -> Double {
        Vector(dx: max(abs(minX - point.x), abs(maxX - point.x)), dy: max(abs(minY - point.y), abs(maxY - point.y)))
            .length
    }

    /// Whether it could be the next word of a line, or the one before.
    fileprivate func isInLine(with other: Rect) -> Bool {
        let (lower, higher) = (min(height, other.height), max(height, other.height))
        let common = min(maxY, other.maxY) - max(minY, other.minY)
        let gap = max(minX - other.maxX, other.minX - maxX)
        return 2 * common >= lower && gap <= 0.9 * higher && higher <= 3 * lower
    }
}
