import LoupeJSON
import LoupeScene

/// What drew the pictures, as OpenGL ES names itself.
public struct Driver: Hashable, Sendable, CustomStringConvertible {
    /// GL_RENDERER.
    public let renderer: String
    /// GL_VERSION, which holds Mesa's version where it is Mesa.
    public let version: String

    public init(renderer: String, version: String) {
        self.renderer = renderer
        self.version = version
    }

    public var description: String { "\(renderer), \(version)" }

    package var json: JSONValue { ["renderer": .string(renderer), "version": .string(version)] }
}
