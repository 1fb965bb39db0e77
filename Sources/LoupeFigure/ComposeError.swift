/// A request that can't be composed to a scene: a value, or several that exclude each other, or a page they do not fit.
public struct ComposeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The part of the input that is at fault.
    public enum Kind: Hashable, Sendable {
        /// The options.
        case usage
        /// The page or another image.
        case badInput
    }

    /// What is at fault.
    public let kind: Kind
    /// One sentence: the option, what is wrong, and what is allowed.
    public let description: String

    /// An error of one sentence.
    public init(_ kind: Kind, _ sentence: String) { (self.kind, description) = (kind, sentence) }
}
