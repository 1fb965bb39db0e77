import LoupeBase

/// Writes a scene as JSON that `SceneDecoder` reads back as an equal scene.
public struct SceneEncoder {
    /// An encoder; it has no options.
    public init() {}

    /// Indented text that ends with a newline: every key that has a value, defaults included, in the
    /// order of `SceneFields`.
    public func encode(_ scene: Scene) -> String {
        json(scene).text() + "\n"
    }

    /// The same as a value.
    package func json(_ scene: Scene) -> JSONValue { SceneFields.scene.write(scene) }
}
