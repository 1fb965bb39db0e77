// What the reference renderer and the comparison need of `LoupeSystem`, in a module of WebAssembly: there is one thread, and
// its memory grows until the engine's own limit.

/// The memory of the module.
package enum Memory {
    /// What to do about an image that is too large.
    package static var advice: String {
        "the module of loupe_render for every processor has at most 4 GiB; install the package for this processor"
    }

    /// Whether so many bytes can be had. WebAssembly's addresses have 32 bits.
    package static func hasRoom(for count: Int) -> Bool { count >= 0 && count <= 3 << 29 }

    /// Whether an image of so many pixels can be had.
    package static func hasRoom(forPixels width: Int, _ height: Int, bytesPerPixel: Int) -> Bool {
        width > 0 && height > 0 && Double(width) * Double(height) * Double(bytesPerPixel) <= Double(3 << 29)
    }
}

/// The one thread.
package enum Threads {
    package static let cores = 1

    /// The results of `transform` for 0 ..< `count`, in order.
    package static func map<Value>(_ count: Int, _ transform: (Int) -> Value) -> [Value] { (0..<count).map(transform) }

    package static func forEach(_ count: Int, _ body: (Int) -> Void) { (0..<count).forEach(body) }
}
