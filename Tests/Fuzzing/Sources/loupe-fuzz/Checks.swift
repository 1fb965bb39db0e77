import LoupeBase
import LoupeImaging
import LoupeMotion
import LoupeScene

/// Checks that a decoded picture has the size that its header states, and is the same when it is decoded again.
func checkPicture(_ bytes: [UInt8]) {
    guard let image = try? ImageFile.decode(bytes, name: "", limits: .fuzzing) else { return }
    precondition(image.pixels.count == image.width * image.height * 4)
    guard let size = try? ImageFile(bytes, name: "").size else { preconditionFailure("a picture has no size") }
    precondition((size.width, size.height) == (image.width, image.height), "the size is not the header's")
    precondition((try? ImageFile.decode(bytes, name: "", limits: .fuzzing)) == image, "decoded again, it differs")
}

/// Checks that a decoded scene is the same after it is encoded and decoded again.
func checkScene(_ bytes: [UInt8]) {
    let decoder = SceneDecoder { _ in ImageSize(width: 640, height: 480) }
    guard let scene = try? decoder.decode(bytes) else { return }
    let text = SceneEncoder().encode(scene)
    precondition((try? decoder.decode(Array(text.utf8))) == scene, "encoded and decoded, it is another scene")
}

/// Checks that a decoded session has a frame at every time.
func checkSession(_ bytes: [UInt8]) {
    let decoder = SessionDecoder(
        imageSize: { _ in ImageSize(width: 640, height: 480) }, file: { _ in Array(trace.utf8) })
    guard let session = try? decoder.decode(bytes) else { return }
    for position in [0, 0.3, 1] { _ = session.model.frame(at: session.duration * position) }
}

/// The content of every file that a session names.
private let trace = """
    {"t": 0, "touch": 1, "phase": "began", "at": [1, 2]}
    {"t": 0.5, "touch": 1, "phase": "moved", "at": [90, 80]}
    {"t": 1, "touch": 1, "phase": "ended", "at": [90, 80]}
    """

/// Checks that the events of a decoded trace are sorted by time, and that a recording in any format is a trace that
/// can be written and read again.
func checkTrace(_ bytes: [UInt8]) {
    checkRecording(bytes)
    guard let trace = try? TraceDecoder.decode(bytes) else { return }
    precondition(zip(trace.events, trace.events.dropFirst()).allSatisfy { $0.time <= $1.time })
}

private func checkRecording(_ bytes: [UInt8]) {
    guard let trace = try? Recording(bytes).trace else { return }
    precondition(
        (try? TraceDecoder.decode(Array(TraceEncoder.text(of: trace).utf8))) == trace, "written, it is another trace")
}
