/// The square of window coordinates that clip space maps to, centred on a target.
///
/// It extends as far beyond the target as the device allows, so that triangles that leave the target are not clipped. A
/// driver that clips gives a triangle new edges, rounded differently for each size of target, and two draws that share an
/// edge would no longer meet. Its side is a power of two, so that positions on a grid pass through clip space exactly.
public struct Viewport: Hashable, Sendable {
    /// The x coordinate of its centre, in pixels of the target.
    public let centerX: Int
    /// The y coordinate of its centre, in pixels of the target.
    public let centerY: Int
    /// Half its side, in pixels.
    public let reach: Int

    /// - Parameter limits: those of the device.
    init(ofWidth width: Int, height: Int, limits: DeviceLimits) {
        (centerX, centerY) = (width / 2, height / 2)
        var side = 1
        while 2 * side <= min(limits.viewportWidth, limits.viewportHeight) { side *= 2 }
        // A target with an odd side has one pixel more beyond its centre.
        reach = max(side / 2, (max(width, height) + 1) / 2)
    }
}

/// How a fragment is combined with the pixel it is drawn over. Both are premultiplied.
public enum Blend: Hashable, Sendable {
    /// The fragment replaces the pixel.
    case replace
    /// Source over destination.
    case over
    /// Only removes: destination times (1 − source alpha).
    case erase
    /// The sum.
    case add
}
