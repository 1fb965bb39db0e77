import LoupeGeometry
import LoupeScene

/// A scene that is read is written as text that is read as the same scene.
func checkScene(_ bytes: [UInt8]) {
    let decoder = SceneDecoder { _ in ImageSize(width: 640, height: 480) }
    guard let scene = try? decoder.decode(bytes) else { return }
    let text = SceneEncoder().encode(scene)
    precondition((try? decoder.decode(Array(text.utf8))) == scene, "written and read, it is another scene")
}
