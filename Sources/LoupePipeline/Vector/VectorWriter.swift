import LoupeImaging
import LoupeScene
import LoupeSystem
import Synchronization

/// Writes drawings as PDF and SVG, by cairo in a helper process.
package enum VectorWriter {
    /// The bytes of a file.
    ///
    /// Each file is written by a process of its own, so that the same drawing gives the same bytes.
    /// - Parameters:
    ///   - contents: of the drawing's images, in their order.
    ///   - width: of the page, in points.
    ///   - height: of the page, in points.
    ///   - title: of the document; an SVG has none.
    /// - Returns: also the paths of documents that have pixels in place of some vectors.
    /// - Throws: ``VectorError``.
    package static func write(
        _ drawing: VectorDrawing, _ contents: [ImageContents], as format: VectorFormat, width: Double, height: Double,
        title: String
    ) throws(VectorError) -> (bytes: [UInt8], pixelated: [ImagePath]) {
        let size = VectorRequest.byteCount(of: drawing, contents)
        guard Memory.hasRoom(for: timesHeld * size) else { throw .outOfMemory(bytes: size) }
        let request = VectorRequest.bytes(
            writing: drawing, contents, as: format, width: width, height: height, title: title)
        let limits = SVGDrawing.limits(beside: 8 * request.count)
        let member = started.withLock { member in member.take() } ?? HelperPool.Member()
        var step: Int?
        do throws(HelperFailure) {
            let (bytes, pixelated) = try member.use { process, _ throws(HelperFailure) in
                defer { step = process.step }
                var (bytes, answer) = try process.askForFile(request, limits: limits)
                let pixelated = answer.list { Int($0.number(UInt32.self)) }.filter(drawing.images.indices.contains)
                guard answer.isWhole else { throw .invalidAnswer }
                return (bytes, pixelated.map { drawing.images[$0].path })
            }
            return (format == .pdf ? PDFStreams.packed(bytes) : SVGShapes.shared(in: bytes), pixelated)
        } catch {
            if let file = error.fileError { throw .unwritable(file) }
            let task = task(at: step, drawing)
            let clause = error.clause(task)
            if case .refused = error, step != nil { throw .helper("\(task): \(clause)") }
            throw error.isOfInstallation ? .noHelper(clause) : .helper(clause)
        }
    }

    /// Starts the process that the next file will need, so that it starts while this process does other work.
    package static func warmUp() {
        let member = HelperPool.Member()
        guard (try? member.use { _, _ in }) != nil else { return }
        started.withLock { $0 = member }
    }

    private static let started = Mutex<HelperPool.Member?>(nil)

    /// What a process did at a step: it draws one image after another, then all that is drawn late.
    private static func task(at step: Int?, _ drawing: VectorDrawing) -> String {
        guard let step, step >= 0, !drawing.images.isEmpty else { return "writing it" }
        let images = step < drawing.images.count ? [drawing.images[step]] : drawing.images
        return "drawing \(images.map { "'\($0.path)'" }.joined(separator: ", "))"
    }

    /// How often images are held: once more here, as a message, and in the helper process as that, taken apart, as surfaces
    /// and packed.
    private static let timesHeld = 5
}

/// An error of writing a vector file.
public enum VectorError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The program that writes it, or one of its libraries, is not installed; why, as a clause.
    case noHelper(String)
    /// Cairo can't write it; why, as a clause.
    case helper(String)
    /// Memory can't be shared with what writes it.
    case unwritable(FileError)
    /// There is no memory for images of so many bytes.
    case outOfMemory(bytes: Int)

    /// One sentence without a full stop, as the command prints it.
    public var description: String {
        switch self {
        case .noHelper(let reason): "PDF and SVG can't be written: \(reason), or write a PNG"
        case .unwritable(let error): error.description
        case .helper(let reason): "the figure can't be written as PDF or SVG: \(reason)"
        case .outOfMemory(let bytes):
            "the figure can't be written as PDF or SVG: no memory for its images (\(bytes / 1_000_000) MB); \(Memory.advice)"
        }
    }
}
