/// The superellipse nearest to a corner that a design tool has smoothed: an arc between two cubics, which together reach
/// (1 + s)·r along each edge (Figma's corner smoothing s; 0.6 is its iOS look).
enum SmoothCorner {
    /// Exponent and extent for a radius of 1: at most 0.0045 off the arc and cubics.
    /// - Parameter smoothing: 0…1.
    static func nearest(smoothing: Double) -> (exponent: Double, extent: Double) {
        let steps = Double(table.count - 1)
        let place = min(Int(smoothing * steps), table.count - 2)
        let share = smoothing * steps - Double(place)
        let (low, high) = (table[place], table[place + 1])
        return (
            low.exponent + share * (high.exponent - low.exponent), low.extent + share * (high.extent - low.extent)
        )
    }
}
