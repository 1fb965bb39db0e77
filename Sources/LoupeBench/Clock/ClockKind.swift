/// How long a device took for a batch: the ways to tell, the finest first.
public enum ClockKind: String, Hashable, Sendable, CaseIterable {
    /// The device's own clock (GL_EXT_disjoint_timer_query).
    case timerQuery = "timer query"
    /// Wall time until a fence is passed.
    case fence
    /// Wall time until glFinish returns.
    case finish = "glFinish"
}
