import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem

/// An error of making a picture of a document.
///
/// It has only what the modules below can't know: which document was read, and what it was read for. Their own errors
/// (`FileError`, `ImageError`, `RenderError`, `EGLError`, `GLError`, `OracleError`) reach the caller as they are. Each
/// description is one sentence.
public enum PipelineError: Error, CustomStringConvertible {
    /// A document in JSON is not what it should be.
    case document(name: String, DocumentError)
    /// The input is neither a picture nor JSON.
    case unknownContent(name: String, isEmpty: Bool)
    /// The input is a picture where a document in JSON is needed; `needed` says which, with its article.
    case pictureInPlaceOfDocument(name: String, needed: String)
    /// The scene that a picture stores can't be read.
    case storedScene(name: String, DocumentError)
    /// An image that a stored scene shows is missing. `path` leads to it from the working directory; nil where it was
    /// standard input.
    case missingImage(name: String, path: Path?)
    /// An image has more pixels than the limit allows; a higher limit would allow it.
    case tooManyPixels(ImageError, pixels: Int)

    public var description: String {
        switch self {
        case .document(let name, let error): "\(name.quotable): \(error.description)"
        case .unknownContent(let name, isEmpty: true): "\(name.quotable): empty; a page or a scene in JSON is needed"
        case .unknownContent(let name, isEmpty: false):
            "\(name.quotable): neither a \(ImageError.formats.joined(separator: ", ")) nor a JSON scene; convert a picture to PNG first"
        case .pictureInPlaceOfDocument(let name, let needed):
            "\(name.quotable): a picture, where \(needed) in JSON is needed"
        case .storedScene(let name, let error):
            "\(name.quotable): its text '\(SelfDescription.sceneKeyword)': \(error.description)"
        case .missingImage(let name, let path):
            "\(name.quotable): it was drawn from \(path?.description ?? "standard input"), which is missing; put it back"
        case .tooManyPixels(let error, _): error.description
        }
    }
}
