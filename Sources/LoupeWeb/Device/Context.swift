/// WebGL2 in the place of OpenGL ES: the same names as in the module `LoupeGLES`, so that the painters of `LoupeRenderer` are
/// compiled for a page as they are. What they call is recorded in a stream; `gl.js` carries it out.
public final class Context {
    /// What the browser reports about its device.
    public let info: DeviceInfo
    /// What has been recorded.
    public var stream = CommandStream()
    private let features: Features
    private var numbers: [Int] = []
    private var nextNumber = 1

    /// What WebGL2 leaves open, as the page's script found it.
    public struct Features: Sendable {
        /// The largest side of a texture and of a viewport, in pixels.
        public var largestSide: Int
        /// Whether `EXT_color_buffer_float` is there.
        public var hasFloats: Bool
        /// Whether `EXT_color_buffer_half_float` is there.
        public var hasHalfFloats: Bool
        /// Whether `EXT_float_blend` is there.
        public var blendsFloats: Bool

        /// Everything that the page's script found.
        public init(largestSide: Int, hasFloats: Bool, hasHalfFloats: Bool, blendsFloats: Bool) {
            (self.largestSide, self.hasFloats) = (largestSide, hasFloats)
            (self.hasHalfFloats, self.blendsFloats) = (hasHalfFloats, blendsFloats)
        }
    }

    /// A context on a device that can do this.
    public init(_ features: Features) {
        self.features = features
        let side = features.largestSide
        info = DeviceInfo(limits: DeviceLimits(textureSize: side, viewportWidth: side, viewportHeight: side))
    }

    /// Whether a fragment shader can read the pixel that it draws over. WebGL2 has no extension for it.
    public var readsBelow: Bool { false }

    /// The format with more than 8 bits a channel that this device can draw into and blend.
    /// - Parameter floats: whether 32-bit floats are wanted.
    /// - Returns: 32-bit floats where they are wanted and supported, otherwise half floats, otherwise bytes.
    public func blendableFormat(floats: Bool) -> Texture.Format {
        if floats && features.hasFloats && features.blendsFloats { return .rgba32F }
        return features.hasFloats || features.hasHalfFloats ? .rgba16F : .rgba8
    }

    /// A number for a new object. Those of deleted objects are used again, so that the script's tables do not grow.
    func takeNumber() -> Int {
        if let number = numbers.popLast() { return number }
        defer { nextNumber += 1 }
        return nextNumber
    }

    func giveBack(_ number: Int) { numbers.append(number) }
}

/// What the browser reports about its device.
public struct DeviceInfo: Sendable {
    /// The largest sizes.
    public let limits: DeviceLimits
}

/// The largest sizes that a device draws, in pixels.
public struct DeviceLimits: Sendable {
    /// The largest side of a texture.
    public let textureSize: Int
    /// The largest width of a viewport.
    public let viewportWidth: Int
    /// The largest height of a viewport.
    public let viewportHeight: Int
}

/// Why a frame can't be drawn. What WebGL2 itself refuses, the script finds.
public enum GLError: Error, Equatable {
    /// A texture's sides are over the device's limit, in texels.
    case tooLarge(width: Int, height: Int, limit: Int)
}
