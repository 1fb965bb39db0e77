/// What of the panorama can be set.
public struct PanoramaOptions: Hashable, Sendable {
    /// How far the title moves for each point of the items.
    public enum TitleRate: String, Hashable, Sendable, CaseIterable {
        /// tw/last stop: the title has left as the last item comes into full view, as the article's prose has it.
        case prose
        /// tw/(contentW − 2tw), and 0 where the content is no wider than two titles, as the published code has it.
        case code
    }

    public var titleRate = TitleRate.prose
    /// What a snap to 0 goes to, in points: the published code takes 1 to work around a defect.
    public var zeroStop = 0.0
    /// Of the way to a stop, in seconds.
    public var snapDuration = 0.3

    public init() {}
}
