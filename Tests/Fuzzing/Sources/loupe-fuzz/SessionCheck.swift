import LoupeGeometry
import LoupeMotion

/// A session that is read has frames at all times.
func checkSession(_ bytes: [UInt8]) {
    let decoder = SessionDecoder(
        imageSize: { _ in ImageSize(width: 640, height: 480) }, file: { _ in Array(trace.utf8) })
    guard let session = try? decoder.decode(bytes) else { return }
    for fraction in [0, 0.3, 1] { _ = session.model.frame(at: session.duration * fraction) }
}

/// The content of every file that a session names.
private let trace = """
    {"t": 0, "touch": 1, "phase": "began", "at": [1, 2]}
    {"t": 0.5, "touch": 1, "phase": "moved", "at": [90, 80]}
    {"t": 1, "touch": 1, "phase": "ended", "at": [90, 80]}
    """
