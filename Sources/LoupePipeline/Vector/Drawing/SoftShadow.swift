import LoupeBase
import LoupeScene

/// A blurred shadow as a bitmap: the profile of the specification, section 6.4, of the exact distance.
struct SoftShadow {
    /// The border that casts it, moved by its offset, in canvas pixels.
    let border: Outline
    /// Above 0.
    let blur: Double
    let color: Color
    /// Nothing of the shadow is seen farther inside of this than a few pixels; nil where all is seen.
    let hiding: Outline?
    /// Nothing is seen outside of it, in canvas pixels.
    let frame: Rect

    /// Nil where nothing of it is seen.
    /// - Parameters:
    ///   - resolution: pixels of the bitmap for each canvas pixel, so that it looks right at magnification 1.
    ///   - magnification: the largest that it is shown at.
    ///   - isExact: whether it has that resolution, also where fewer pixels show the same.
    func bitmap(resolution: Double, magnification: Double, isExact: Bool) -> SoftBitmap? {
        // At a distance of 2.9 standard deviations less than half an 8-bit step of black is left.
        let deviation = blur / 2
        let reach = 2.9 * deviation + 1
        let whole = border.rect.inset(by: -reach)
        guard var room = frame.intersection(whole) else { return nil }
        // An eighth of the deviation is fine enough to interpolate: the error is below 1/1000.
        let enough = min(resolution * magnification, 8 / deviation)
        let pixels = isExact ? max(resolution, enough) : enough
        // Where the pixels need not be those of the canvas, all of the shadow counted from its own middle is the same bitmap
        // for each loupe of a size. It is stored once.
        var origin = Point.zero
        if pixels < resolution * magnification, whole.width * whole.height <= 4 * room.width * room.height {
            (room, origin) = (whole, border.rect.center)
        }
        let left = ((room.minX - origin.x) * pixels).rounded(.down)
        let top = ((room.minY - origin.y) * pixels).rounded(.down)
        let width = max(1, Int(((room.maxX - origin.x) * pixels).rounded(.up) - left))
        let height = max(1, Int(((room.maxY - origin.y) * pixels).rounded(.up) - top))
        guard width <= 16384, height <= 16384 else {
            return bitmap(resolution: resolution / 2, magnification: magnification / 2, isExact: isExact)
        }
        let scale = 1 / (deviation * 2.0.squareRoot())
        var coverage = [UInt8](repeating: 0, count: width * height)
        for row in 0..<height {
            let y = origin.y + (top + Double(row) + 0.5) / pixels
            for column in 0..<width {
                let point = Point(x: origin.x + (left + Double(column) + 0.5) / pixels, y: y)
                if let hiding, hiding.signedDistance(to: point, within: 2) >= 2 { continue }
                let inside = border.signedDistance(to: point, within: reach)
                coverage[row * width + column] = UInt8((0.5 * erfc(-inside * scale) * 255).rounded())
            }
        }
        guard coverage.contains(where: { $0 > 0 }) else { return nil }
        return SoftBitmap(
            rect: Rect(
                x: origin.x + left / pixels, y: origin.y + top / pixels, width: Double(width) / pixels,
                height: Double(height) / pixels),
            size: ImageSize(width: width, height: height), color: color, coverage: coverage)
    }
}

extension Rect {
    /// What both share; nil where that has no area.
    func intersection(_ other: Rect) -> Rect? {
        let (left, top) = (max(minX, other.minX), max(minY, other.minY))
        let (right, bottom) = (min(maxX, other.maxX), min(maxY, other.maxY))
        return right > left && bottom > top ? Rect(x: left, y: top, width: right - left, height: bottom - top) : nil
    }
}
