import LoupeBase

extension Scene {
    /// What the picture shows, for readers who can't see it: the author's words, or what can be said of its loupes.
    package var alternativeText: String { alt ?? spoken }

    /// What the loupes of the scene show, as a sentence for readers who can't see it: "A page with 2 loupes: a, 6 times as
    /// large, upper right; b, 4 times as large, left."
    package var spoken: String {
        let count = loupes.count
        if count == 0 { return "A page." }
        let parts = loupes.indices.map { index in
            let mark = labels.lazy.compactMap { label in
                if case .loupe(index, _, _, _) = label.anchor { label.text } else { nil }
            }.first { !$0.hasSuffix("×") }
            let zoom = ((loupes[index].zoom * 10).rounded() / 10).jsonText
            return (mark.map { "\($0), " } ?? "") + "\(zoom) times as large, \(spokenPlace(of: loupes[index].center))"
        }
        let rects = layers.compactMap { layer in if case .image = layer.content { layer.rect } else { Rect?.none } }
        let pages = rects.count
        let areAlike = rects.allSatisfy { $0.width == rects[0].width && $0.height == rects[0].height }
        // Pages that are compared, whose loupes show the same.
        let areApart = Set(rects.map { Point(x: $0.x, y: $0.y) }).count == pages
        if pages > 1, areAlike, areApart, count % pages == 0 {
            let shown = count / pages
            let own = parts.prefix(shown).joined(separator: "; ")
            return "\(pages) pages, each with \(shown == 1 ? "a loupe" : "\(shown) loupes"): of the first, \(own)."
        }
        return "A page with \(count == 1 ? "a loupe" : "\(count) loupes"): \(parts.joined(separator: "; "))."
    }

    /// The third of the canvas's width and height in which a point lies.
    private func spokenPlace(of point: Point) -> String {
        func word(_ part: Double, _ names: [String]) -> String {
            part < 1 / 3 ? names[0] : part > 2 / 3 ? names[1] : ""
        }
        let across = word(point.x / Double(canvas.width), ["left", "right"])
        let down = word(point.y / Double(canvas.height), ["upper", "lower"])
        if across.isEmpty { return down == "upper" ? "above" : down == "lower" ? "below" : "in the middle" }
        return down.isEmpty ? across : "\(down) \(across)"
    }
}
