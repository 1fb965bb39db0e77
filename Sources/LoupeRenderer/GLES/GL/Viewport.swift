/// The square of window coordinates that clip space maps to, centred on a target.
///
/// It extends as far beyond the target as the device allows, so that triangles that leave the target are not clipped. A
/// driver that clips gives a triangle new edges, rounded differently for each size of target, and two draws that share an
/// edge would no longer meet. Its side is a power of two, so that positions on a grid pass through clip space exactly.
package struct Viewport: Hashable, Sendable {
    /// The x coordinate of its centre, in pixels of the target.
    package let centerX: Int
    /// The y coordinate of its centre, in pixels of the target.
    package let centerY: Int
    /// Half its side, in pixels.
    package let reach: Int

    /// - Parameter limit: the largest side of a viewport of the device, in pixels.
    init(ofWidth width: Int, height: Int, limit: Int) {
        (centerX, centerY) = (width / 2, height / 2)
        var side = 1
        while 2 * side <= limit { side *= 2 }
        // A target with an odd side has one pixel more beyond its centre.
        reach = max(side / 2, (max(width, height) + 1) / 2)
    }
}
