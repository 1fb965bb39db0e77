import LoupeGeometry

/// What a loupe shows where no layer lies.
public enum Outside: String, Hashable, Sendable, CaseIterable {
    /// The canvas's background.
    case background
    /// What lies under the loupe. Its own shadow and callout are left out there.
    case transparent
    /// The background, but the view is moved so that its source stays on the page.
    case clamp
}

extension Scene {
    /// The smallest rect that holds every layer's bounds, in canvas pixels; nil without layers.
    var pageBounds: Rect? {
        guard var bounds = layers.first?.bounds else { return nil }
        for next in layers.dropFirst().map({ $0.bounds }) {
            let (x, y) = (min(bounds.minX, next.minX), min(bounds.minY, next.minY))
            bounds = Rect(
                x: x, y: y, width: max(bounds.maxX, next.maxX) - x, height: max(bounds.maxY, next.maxY) - y)
        }
        return bounds
    }

    /// The canvas point that a loupe shows at its centre: its focus, or with `Outside.clamp` the nearest point about which
    /// all that it shows, the disc or the rectangle divided by its zoom, lies within the page; the page's middle, along a
    /// side that is too short for that.
    public func shownFocus(of loupe: Loupe) -> Point {
        guard loupe.outside == .clamp, let page = pageBounds else { return loupe.focus }
        let (across, down) = (loupe.halfSides.dx / loupe.zoom, loupe.halfSides.dy / loupe.zoom)
        func held(_ focus: Double, _ low: Double, _ high: Double, _ reach: Double) -> Double {
            low + reach > high - reach ? (low + high) / 2 : min(max(focus, low + reach), high - reach)
        }
        return Point(
            x: held(loupe.focus.x, page.minX, page.maxX, across),
            y: held(loupe.focus.y, page.minY, page.maxY, down))
    }
}
