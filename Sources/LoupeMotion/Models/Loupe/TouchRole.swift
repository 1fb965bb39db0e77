/// The roles of touches, with their colours in charts and pictures.
package enum TouchRole: String, Hashable, Sendable, CaseIterable {
    /// It may become part of a gesture.
    case waiting
    /// It chooses a tool in the tray.
    case choosing
    /// It holds the loupe.
    case holding
    /// It draws.
    case drawing
    /// It drags the loupe's edge.
    case resizing
    /// It is one of the two touches of a Rewind.
    case rewinding
    /// It has no effect.
    case idle
    /// It has left the screen and is extrapolated.
    case ghost
    /// It moves what a model moves that has no roles.
    case moving

    /// The colour, as `#rrggbb`.
    package var color: String {
        switch self {
        case .waiting, .choosing: ChartColor.grey
        case .holding, .ghost: ChartColor.purple
        case .drawing: ChartColor.orange
        case .resizing: ChartColor.sky
        case .rewinding: ChartColor.green
        case .idle: ChartColor.lightGrey
        case .moving: ChartColor.sky
        }
    }
}
