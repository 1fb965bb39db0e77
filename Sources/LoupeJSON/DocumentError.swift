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
