@testable import LoupeImaging

/// Checks that an SVG is drawn or refused, whatever becomes of the helper process, and the same when it is drawn again.
func checkSVG(_ bytes: [UInt8]) { checkDrawing(bytes, as: .svg) }

/// Checks that the first page of a PDF is drawn or refused, and that what `check` asks about it is answered or refused.
func checkPDF(_ bytes: [UInt8]) {
    checkDrawing(bytes, as: .pdf)
    guard let file = try? ImageFile(bytes, name: ""), file.format == .pdf else { return }
    do {
        if let facts = try file.pdfFacts() { checkRange(facts) }
    } catch {
        // An answer that can't be read would be the service's fault, not the document's.
        precondition(!"\(error)".contains("no valid answer"), "what the page consists of is written but not read")
    }
}

/// Checks that the answer of a helper process, which may be anything, is refused or has sensible numbers.
func checkFacts(_ bytes: [UInt8]) {
    guard let facts = PDFFacts(bytes) else { return }
    checkRange(facts)
}

private func checkRange(_ facts: PDFFacts) {
    precondition(facts.pictures.allSatisfy { $0.width >= 0 && $0.height >= 0 && $0.pixelsPerInch.isFinite })
    precondition(facts.texts.allSatisfy { $0.size.isFinite })
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
        case .noHelper: preconditionFailure("\(error)")
        default: break
        }
    }
}
