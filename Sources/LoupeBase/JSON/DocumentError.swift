/// An error in a document: a scene, a session, a trace or a list of jobs.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The position of a problem.
    public enum Position: Hashable, Sendable {
        /// Where the text is not JSON. Both numbers count from 1; columns count Unicode scalars.
        case text(line: Int, column: Int)
        /// The key whose value is wrong, such as `loupes[0].zoom`; empty for the whole document.
        case key(path: String)
    }

    /// Where the problem is.
    public var position: Position
    /// What is there and what is allowed instead.
    public var problem: String

    /// A problem at a position.
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

/// The path of a value in its document. It becomes text only when an error needs it, since long traces have many values.
package indirect enum JSONPath: Hashable, Sendable, CustomStringConvertible {
    case document
    case key(String, in: JSONPath)
    case index(Int, in: JSONPath)

    /// Such as `layers[1].corner.radius`; a key that is not a plain word is quoted: `layers[1]["a key"]`.
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
        (1...40).contains(utf8.count)
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
    }
}
