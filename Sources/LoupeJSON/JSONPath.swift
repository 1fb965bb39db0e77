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
