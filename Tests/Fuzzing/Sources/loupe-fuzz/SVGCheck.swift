@testable import LoupeImaging

/// Checks that an SVG is drawn or refused, whatever becomes of the helper process, and the same when it is drawn again.
///
/// The search for references runs in this process, where the fuzzer sees its branches; librsvg in the helper process.
func checkSVG(_ bytes: [UInt8]) {
    _ = CSSReferences.all(in: String(decoding: bytes, as: UTF8.self))
    if let request = SVGRequest(bytes) { precondition(request.bytes == bytes, "a request is read as another one") }
    if ImageFile.Format(of: bytes) == .svg, let library = RSVGLibrary.shared {
        _ = SVGReferences(library).check(bytes)
    }
    checkDrawing(bytes, as: .svg)
}

/// Checks that an SVG or the first page of a PDF is drawn or refused, and the same when it is drawn again.
func checkDrawing(_ bytes: [UInt8], as format: ImageFile.Format) {
    guard ImageFile.Format(of: bytes) == format else { return }
    SVGDrawing.secondsAllowed = 1
    do {
        let image = try ImageFile.decode(bytes, name: "", limits: .fuzzing)
        precondition(image.pixels.count == image.width * image.height * 4)
        // The time limit alone may make a difference.
        if let again = try? ImageFile.decode(bytes, name: "", limits: .fuzzing) {
            precondition(again.pixels == image.pixels, "drawn again, it differs")
        }
    } catch {
        switch error {
        case .noHelper, .noSVGLibrary, .noPDFLibrary: preconditionFailure("\(error)")
        default: break
        }
    }
}
