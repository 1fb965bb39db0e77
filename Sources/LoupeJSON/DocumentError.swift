/// Why a text is not the scene (or session, trace, job) that it should be, in one sentence.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Place: Hashable, Sendable {
        /// Where the text stops being JSON. Both count from 1; a column is a Unicode scalar.
        case text(line: Int, column: Int)
        /// The key whose value is wrong, such as `loupes[0].zoom`; empty for the whole document.
        case key(path: String)
    }

    public var place: Place
    /// What is there and what is allowed instead.
    public var problem: String

    public init(at place: Place, _ problem: String) {
        self.place = place
        self.problem = problem
    }

    /// The place, a colon and the problem: `loupes[0].zoom: 65 is out of range; allowed is 1…64`.
    public var description: String {
        switch place {
        case .text(let line, let column): "line \(line), column \(column): \(problem)"
        case .key(path: ""): "the document: \(problem)"
        case .key(let path): "\(path): \(problem)"
        }
    }
}
