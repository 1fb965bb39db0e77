import LoupeFiles
import LoupeImaging
import LoupeSandbox

/// Writes drawings as PDF and SVG, by cairo in a helper process.
public enum VectorWriter {
    /// The name of the service that the program's main function offers.
    package static let serviceName = "vector"

    /// The bytes of a file.
    ///
    /// Each file is written by a process of its own, so that the same drawing gives the same bytes.
    /// - Parameters:
    ///   - contents: of the drawing's images, in their order.
    ///   - width: of the page, in points.
    ///   - height: of the page, in points.
    ///   - title: of the document; an SVG has none.
    /// - Throws: ``VectorError``.
    public static func write(
        _ drawing: VectorDrawing, _ contents: [ImageContents], as format: VectorFormat, width: Double, height: Double,
        title: String
    ) throws(VectorError) -> [UInt8] {
        let size = VectorRequest.byteCount(of: drawing, contents)
        guard Memory.hasRoom(for: timesHeld * size) else { throw .outOfMemory(bytes: size) }
        do {
            let process = try HelperProcess(service: serviceName)
            let request = VectorRequest.bytes(
                writing: drawing, contents, as: format, width: width, height: height, title: title)
            let limits = HelperLimits(
                seconds: SVGDrawing.secondsAllowed,
                memory: min(1 << 30, max(256 << 20, Memory.limit)) + 8 * request.count)
            var reader = MessageReader(try answer(process.ask(request, limits: limits)))
            guard let count = reader.number(UInt64.self), count > 0, count < 1 << 40 else {
                throw HelperFailure.invalidAnswer
            }
            var bytes: [UInt8] = []
            _ = try answer(
                process.ask(VectorRequest.fetchBytes, shared: Int(count), limits: limits) { bytes = Array($0) })
            return bytes
        } catch let error as HelperFailure {
            throw .helper(error.clause)
        } catch let error as VectorError {
            throw error
        } catch {
            throw .helper("\(error)")
        }
    }

    /// How often images are held: once more here, as a message, and in the helper process as that, taken apart, as surfaces
    /// and packed.
    private static let timesHeld = 5

    private static func answer(_ reply: HelperProcess.Reply) throws(VectorError) -> [UInt8] {
        switch reply {
        case .answer(let bytes): return bytes
        case .refusal(let code, let text):
            throw code == VectorFault.noLibrary.rawValue ? .noLibrary : .helper(text.isEmpty ? "it was refused" : text)
        }
    }
}

/// Why a vector file was not written.
public enum VectorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// librsvg, or the cairo under it, is not installed.
    case noLibrary
    /// Cairo can't write it; why, as a clause.
    case helper(String)
    /// There is no memory for images of so many bytes.
    case outOfMemory(bytes: Int)

    /// One sentence without a full stop, as the command prints it.
    public var description: String {
        switch self {
        case .noLibrary:
            "PDF and SVG can't be written without librsvg and cairo; install librsvg2-2, or write a PNG"
        case .helper(let reason): "the figure can't be written as PDF or SVG: \(reason)"
        case .outOfMemory(let bytes):
            "the figure can't be written as PDF or SVG: no memory for its images (\(bytes / 1_000_000) MB); \(Memory.advice)"
        }
    }
}
