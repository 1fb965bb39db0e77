import LoupeScene
import TestSupport

extension SceneDecoder {
    /// Why a text is no scene, or what it was read as.
    func sentence(_ text: String) -> String { complaint { try decode(Array(text.utf8)) } }
}
