import LoupePlan
import LoupeScene

/// One way to draw the same loupe: a policy of the plan, with the shaders as they are or with somebody's own.
public struct Variant: Hashable, Sendable {
    public let policy: ShaderPolicy
    /// Whether shaders given by the user stand in for the embedded ones.
    public let isOwn: Bool

    public init(_ policy: ShaderPolicy, isOwn: Bool = false) {
        self.policy = policy
        self.isOwn = isOwn
    }

    /// Such as `pieces`, or `own-pieces`.
    public var name: String { (isOwn ? "own-" : "") + policy.rawValue }

    /// The plan as it is shipped.
    package static let pieces = Variant(.pieces)
}
