import LoupeScene

extension SceneDecoder {
    /// Why a text is no scene, or what it was read as.
    func sentence(_ text: String) -> String {
        do {
            return "read as \(try decode(Array(text.utf8)))"
        } catch {
            return "\(error)"
        }
    }
}
