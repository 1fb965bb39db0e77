import LoupePlan
import LoupeScene

/// Where the loupe stands relative to the page.
public enum Place: Hashable, Sendable {
    /// So that the page's outline is in this state: in the page's middle, on an edge, on a corner, beyond the page.
    case state(ClipState)
    /// The page's middle, timed beside a journey's steps to hold them against.
    case middle(of: Sweep)
    /// One step of a journey, from 0, of so many.
    case sweep(Sweep, step: Int, of: Int)

    /// Such as `corner`, or `sweep-edge/step:07`.
    public var name: String {
        switch self {
        case .state(let state): state.rawValue
        case .middle(let sweep): "sweep-\(sweep.rawValue)/no-edge"
        case .sweep(let sweep, let step, _): "sweep-\(sweep.rawValue)/step:\(step < 10 ? "0" : "")\(step)"
        }
    }
}

/// A journey of the loupe's centre from well within the page to well beyond it.
public enum Sweep: String, Hashable, Sendable, CaseIterable {
    /// Straight over the middle of the left edge.
    case edge
    /// Along the diagonal, over the upper left corner.
    case corner
}
