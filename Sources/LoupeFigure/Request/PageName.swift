import LoupeBase
import LoupeScene

/// What lies at a position, in place of its coordinates: `text:Total due` is a text of the page, `text:Total due#2` the second
/// of several, `id:legend` an element of an SVG.
package struct PageName: Hashable, Sendable {
    /// For messages.
    static let forms = "text:TEXT of an SVG or PDF (TEXT#2 for the second) or id:NAME of an SVG"
    /// The most bytes of a text or an id.
    private static let longest = 1000
    private static let quote = UInt8(ascii: "\"")

    /// The text or the id, without quotes.
    let value: String
    let isID: Bool
    /// Which of several texts is meant, from 1; nil where there has to be only one.
    let number: Int?

    /// Quotes around the text may be there, or a shell may have taken them. A number stands right after the text: there is none
    /// in `text:Issue #12`, nor within quotes.
    init?(text: String) {
        isID = text.hasPrefix("id:")
        guard isID || text.hasPrefix("text:") else { return nil }
        var (value, number): (Substring, Int?) = (text.dropFirst(isID ? 3 : 5), nil)
        if !isID, let sign = value.lastIndex(of: "#"), let last = value[..<sign].last, last != " ",
            let given = Int(value[sign...].dropFirst()), given > 0
        {
            (value, number) = (value[..<sign], given)
        }
        value = value.drop { $0 == " " }
        while value.last == " " { value.removeLast() }
        if value.count > 2, value.utf8.first == Self.quote, value.utf8.last == Self.quote {
            value = value.dropFirst().dropLast()
        }
        guard 1...Self.longest ~= value.utf8.count else { return nil }
        (self.value, self.number) = (String(value), number)
    }

    /// The text or the element, as `PageNames` has it.
    package var key: String { "\(isID ? "id" : "text"):\(value)" }

    /// The words of a text, as `split` parts them. White space within the quotes of a name parts none.
    static func words(of text: String) -> [Substring] {
        var (isQuoted, last) = (false, UInt8(ascii: " "))
        return text.utf8.split { byte in
            if byte == quote, isQuoted || last == UInt8(ascii: ":") { isQuoted.toggle() }
            last = byte
            return !isQuoted && " \t\n".utf8.contains(byte)
        }.map { Substring($0) }
    }
}

extension Request {
    /// The names among the positions, each with the option that has it, for errors.
    package var names: [(option: String, name: PageName)] {
        var found = callouts.flatMap { [$0.target.focus.name, $0.target.center?.name] }.map { ("--callout", $0) }
        for given in [options] + words {
            found.append((given.shown(.at), given.position(.at)?.name))
            found.append((given.shown(.focus), given.focus?.name))
        }
        return found.compactMap { option, name in name.map { (option, $0) } }
    }
}

extension PageFacts {
    /// The box of what a name means, with some room around it, in pixels of the page.
    /// - Parameter option: that has the name, for errors.
    func box(of name: PageName, for option: String) throws(ComposeError) -> Rect {
        guard let names else {
            throw ComposeError(
                .usage, "\(option): a page of pixels has neither texts nor elements to find; give a point or a region")
        }
        let places = zip(names.boxes[name.key] ?? [], names.rooms[name.key] ?? [])
        let boxes = places.filter { $0.0.width + $0.0.height > 0 }
        guard !boxes.isEmpty else { throw ComposeError(.badInput, "\(option): \(names.absence(of: name))") }
        let number = name.number ?? 1
        guard boxes.indices.contains(number - 1), name.number != nil || boxes.count == 1 else {
            func percent(_ part: Double, of whole: Int) -> String {
                (100 * part / Double(whole)).rounded().jsonText + "%"
            }
            let points = boxes.prefix(9).enumerated().map { index, place in
                let center = place.0.center
                return "\(percent(center.x, of: size.width)),\(percent(center.y, of: size.height)) (#\(index + 1))"
            }
            let value = name.value.quotable
            throw ComposeError(
                .badInput,
                "\(option): '\(value)' stands on the page at \(points.joined(separator: ", "))\(boxes.count > 9 ? ", …" : ""); say which one is meant, as in text:\"\(value)\"#\(boxes.count)"
            )
        }
        let (box, free) = boxes[number - 1]
        let side = Double(min(size.width, size.height))
        // As wide at both sides, and never so narrow that a rim covers letters.
        let (least, most) = (0.12 * box.shorterSide, (0.4 * box.shorterSide).clamped(to: 0.005 * side...0.02 * side))
        let across = max(least, min(most, box.minX - free.minX, free.maxX - box.maxX))
        let down = max(least, min(most, box.minY - free.minY, free.maxY - box.maxY))
        let (x, y) = (max(0, box.minX - across), max(0, box.minY - down))
        let (right, bottom) = (Double(size.width), Double(size.height))
        return Rect(
            x: x, y: y, width: min(right, box.maxX + across) - x, height: min(bottom, box.maxY + down) - y)
    }
}

extension PageNames {
    /// Why there is nothing of a name, as a clause.
    fileprivate func absence(of name: PageName) -> String {
        let shown = "'\(name.value.quotable)'"
        if name.isID {
            guard let ids else { return "a PDF has no ids, nor an SVG that a browser draws; give text:TEXT or a point" }
            if ids.contains(name.value) { return "the element with the id \(shown) draws nothing on the page" }
            return "the page has no element with the id \(shown)\(Self.nearest(to: name.value, among: ids))"
        }
        let runs = text.split(separator: "\n").flatMap { line in
            let words = line.split(separator: " ")
            let count = max(1, min(words.count, name.value.split(separator: " ").count))
            return words.indices.dropLast(count - 1).map { words[$0..<$0 + count].joined(separator: " ") }
        }
        return
            "the page has no text \(shown)\(Self.nearest(to: name.value, among: runs)); letters that are drawn as outlines can't be found: give \(ids == nil ? "" : "id:NAME of their group, or ")a point"
    }

    /// The three that are most alike to a text, as the end of a clause: by the pairs of letters that they share (Dice).
    private static func nearest(to text: String, among others: [String]) -> String {
        func pairs(_ text: String) -> Set<[Unicode.Scalar]> {
            let letters = " \(text.lowercased()) ".unicodeScalars.prefix(100)
            return Set(zip(letters, letters.dropFirst()).map { [$0, $1] })
        }
        let own = pairs(text)
        let likenesses = Set(others).map { other in
            let pairs = pairs(other)
            return (other, -Double(own.intersection(pairs).count) / Double(own.count + pairs.count))
        }
        let near = likenesses.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(3).map { "'\($0.0.quotable)'" }
        return near.isEmpty ? ", nor any other" : "; the nearest: \(near.joined(separator: ", "))"
    }
}
