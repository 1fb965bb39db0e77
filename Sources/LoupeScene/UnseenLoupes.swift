import LoupeBase

/// Loupes that a scene may have, but that were hardly meant.
extension Scene {
    /// A loupe in a sentence: counted from 1, as people do.
    package func name(ofLoupe index: Int) -> String {
        loupes.count == 1 ? "the loupe" : "loupe \(index + 1) of \(loupes.count)"
    }

    /// A sentence for each loupe that lies wholly off the canvas, and for each that shows nothing of the page; it names
    /// both with their places, in canvas pixels.
    package var unseenLoupes: [String] {
        var sentences: [String] = []
        let all = canvas.rect
        for (index, loupe) in loupes.enumerated() {
            if !loupe.reaches(all, from: loupe.center, scale: 1) {
                sentences.append(
                    "\(name(ofLoupe: index)), \(loupe.sizeText) at \(loupe.center.text), lies wholly off the canvas of "
                        + "\(canvas.width)×\(canvas.height)")
            }
            let focus = shownFocus(of: loupe)
            if let page = pageBounds, !loupe.reaches(page, from: focus, scale: 1 / loupe.zoom) {
                sentences.append(
                    "\(name(ofLoupe: index)) shows \(focus.text), wholly off the page, which reaches from "
                        + "\(Point(x: page.minX, y: page.minY).text) to \(Point(x: page.maxX, y: page.maxY).text)")
            }
        }
        return sentences
    }

    /// A sentence for each loupe that shows a part of the page in which nothing is to be seen.
    /// - Parameter isPlain: whether all pixels in a loupe have one colour.
    package func plainLoupes(where isPlain: (Loupe) -> Bool) -> [String] {
        loupes.enumerated().compactMap { index, loupe in
            let isOnPage = pageBounds.map { loupe.reaches($0, from: shownFocus(of: loupe), scale: 1 / loupe.zoom) }
            guard isOnPage == true, isPlain(loupe) else { return nil }
            return "\(name(ofLoupe: index)) shows one colour alone; is its point right?"
        }
    }
}

extension Loupe {
    /// Whether its shape, scaled and moved to a point, has a part in common with a rect. A rectangle's corners count as
    /// part of it.
    package func reaches(_ rect: Rect, from center: Point, scale: Double) -> Bool {
        let (across, down) = (
            max(rect.minX - center.x, center.x - rect.maxX, 0), max(rect.minY - center.y, center.y - rect.maxY, 0)
        )
        switch shape {
        case .circle(let radius): return Vector(dx: across, dy: down).length < scale * radius
        case .rectangle: return across < scale * halfSides.dx && down < scale * halfSides.dy
        }
    }

    fileprivate var sizeText: String {
        switch shape {
        case .circle(let radius): "of radius \(radius.hundredths)"
        case .rectangle(let rectangle): "of \(rectangle.width.hundredths)×\(rectangle.height.hundredths)"
        }
    }
}

extension Point {
    fileprivate var text: String { "\(x.hundredths),\(y.hundredths)" }
}
