import CGLES

/// The square of window coordinates that clip space stands for, about the middle of a target.
///
/// It reaches as far beyond the target as the device allows, so that triangles which leave the target are not clipped:
/// a driver that clips gives a triangle new edges, rounded otherwise for each size of target, and two draws that share
/// an edge would no longer meet. Its side is a power of two, so that positions on a grid pass through clip space exactly.
public struct Viewport: Hashable, Sendable {
    /// Its middle, in pixels of the target.
    public let centerX: Int
    public let centerY: Int
    /// Half its side, in pixels.
    public let reach: Int

    /// - Parameter limits: Of the device.
    init(ofWidth width: Int, height: Int, limits: DeviceLimits) {
        (centerX, centerY) = (width / 2, height / 2)
        var side = 1
        while 2 * side <= min(limits.viewportWidth, limits.viewportHeight) { side *= 2 }
        // A target of an odd side has one pixel more beyond its middle.
        reach = max(side / 2, (max(width, height) + 1) / 2)
    }

    func apply() {
        glViewport(GLint(centerX - reach), GLint(centerY - reach), GLsizei(2 * reach), GLsizei(2 * reach))
    }
}
