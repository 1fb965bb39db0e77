/// Why a text is not the scene (or session, trace, job) that it should be, in one sentence.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Position: Hashable, Sendable {
        /// Where the text stops being JSON. Both count from 1; a column is a Unicode scalar.
        case text(line: Int, column: Int)
        /// The key whose value is wrong, such as `loupes[0].zoom`; empty for the whole document.
        case key(path: String)
    }

    public var position: Position
    /// What is there and what is allowed instead.
    public var problem: String

    public init(at position: Position, _ problem: String) {
        self.position = position
        self.problem = problem
    }

    /// The position, a colon and the problem: `loupes[0].zoom: 65 is out of range; allowed is 1…64`.
    public var description: String {
        switch position {
        case .text(let line, let column): "line \(line), column \(column): \(problem)"
        case .key(path: ""): "the document: \(problem)"
        case .key(let path): "\(path): \(problem)"
        }
    }
}

/// Where a value lies in its document. Put into words only when an error needs it, since long traces have many.
package indirect enum JSONPath: Hashable, Sendable, CustomStringConvertible {
    case document
    case key(String, in: JSONPath)
    case index(Int, in: JSONPath)

    /// Such as `layers[1].corner.radius`; a key that is no plain word is quoted: `layers[1]["a key"]`.
    package var description: String {
        switch self {
        case .document: ""
        case .index(let index, let parent): "\(parent)[\(index)]"
        case .key(let key, .document) where key.isPlainWord: key
        case .key(let key, let parent) where key.isPlainWord: "\(parent).\(key)"
        case .key(let key, let parent): "\(parent)[\(JSONValue.string(key).excerpt)]"
        }
    }
}

extension String {
    fileprivate var isPlainWord: Bool {
        !isEmpty && utf8.count <= 40 && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }
    }
}
