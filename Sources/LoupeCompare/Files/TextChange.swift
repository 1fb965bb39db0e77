import LoupeBase
import LoupeImaging

extension PictureChange {
    /// What changed in the text of a page of a PDF: other words, or the same at other places. Nil where neither did, where the page
    /// was turned, and where poppler can't say.
    /// - Parameters:
    ///   - runs: the pixels that differ.
    ///   - scale: pixels for each of 96 dpi.
    static func ofText(
        from reference: VectorDocument, to actual: VectorDocument, differing runs: [DifferingRun], scale: Double
    ) -> PictureChange? {
        guard let before = try? words(of: reference), let after = try? words(of: actual) else { return nil }
        let known = Set(before)
        let names = (before + after.filter { !known.contains($0) }).map { "text:\($0)" }
        guard names.count <= mostWords, let old = try? reference.names(names).boxes,
            let new = try? actual.names(names).boxes
        else { return nil }
        func places(_ word: String, in boxes: [String: [Rect]]) -> [Rect] { boxes["text:\(word)"] ?? [] }
        let size = ImageSize(width: reference.width, height: reference.height)
        let turned = before.count { word in
            zip(places(word, in: old), places(word, in: new)).contains { $0.isTurned(to: $1, on: size) }
        }
        if turned > 0, 2 * turned >= before.count(where: { !places($0, in: new).isEmpty }) { return nil }
        /// The words that one page has, and the other has less often or only as parts of words.
        func surplus(_ words: [String], _ boxes: [String: [Rect]], over others: [String], _ theirs: [String: [Rect]])
            -> [String]
        {
            let others = Set(others)
            return words.filter { !others.contains($0) || places($0, in: boxes).count > places($0, in: theirs).count }
        }
        let (removed, inserted) = (surplus(before, old, over: after, new), surplus(after, new, over: before, old))
        if !removed.isEmpty || !inserted.isEmpty { return .text(from: removed, to: inserted) }
        let moved = before.compactMap { word -> (word: String, from: Rect, to: Rect)? in
            let pairs = zip(places(word, in: old), places(word, in: new))
            return pairs.first { max(abs($0.x - $1.x), abs($0.y - $1.y)) >= 0.5 }.map { (word, $0, $1) }
        }
        guard let first = moved.min(by: { ($0.from.y, $0.from.x) < ($1.from.y, $1.from.x) }) else { return nil }
        let boxes = moved.flatMap { places($0.word, in: old) + places($0.word, in: new) }
            .map { $0.pixels(scale) }
        let isAll = runs.allSatisfy { run in
            let near = boxes.filter { $0.minY <= run.row && run.row < $0.maxY }
            return run.columns.allSatisfy { column in near.contains { $0.minX <= column && column < $0.maxX } }
        }
        return .textMoved(
            first.word, x: Int((first.to.x - first.from.x).rounded()), y: Int((first.to.y - first.from.y).rounded()),
            others: moved.count - 1, isAll: isAll)
    }

    /// Nothing is said of pages with more words.
    private static let mostWords = 2000

    /// Each word once, in the order of the text.
    private static func words(of document: VectorDocument) throws(ImageError) -> [String] {
        var known = Set<String>()
        return try document.names([]).text.split(whereSeparator: \.isWhitespace).map(String.init)
            .filter { known.insert($0).inserted }
    }
}

extension Rect {
    /// Whether another one lies where this is once a page is turned by 180°, and no longer where it was.
    fileprivate func isTurned(to other: Rect, on page: ImageSize) -> Bool {
        func isAt(_ x: Double, _ y: Double) -> Bool { max(abs(other.x - x), abs(other.y - y)) < 1 }
        return isAt(Double(page.width) - x - width, Double(page.height) - y - height) && !isAt(x, y)
    }

    /// The pixels of a text, with room for parts of letters that lie outside its lines.
    fileprivate func pixels(_ scale: Double) -> PixelRect {
        let room = 2 + height / 4
        return PixelRect(
            minX: Int(((x - room) * scale).rounded(.down)), minY: Int(((y - room) * scale).rounded(.down)),
            maxX: Int(((x + width + room) * scale).rounded(.up)), maxY: Int(((y + height + room) * scale).rounded(.up)))
    }
}
