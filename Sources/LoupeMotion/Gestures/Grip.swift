import LoupeGeometry

/// One finger's hold on the loupe, on the glass or off the screen.
struct Grip: Hashable, Sendable {
    private enum Motion: Hashable, Sendable {
        case finger(Point)
        case ghost(Ghost)
    }

    /// Of the touch; the last one's for a ghost.
    private(set) var id: Int
    private var motion: Motion
    /// From the finger to what it holds: one that took a ghost over came down beside it.
    private var offset = Vector.zero
    /// The number of the contest that a ghost's touch was in.
    private(set) var contest: Int?

    init(_ id: Int, at place: Point) {
        self.id = id
        motion = .finger(place)
    }

    /// Nil for a finger on the glass.
    var ghost: Ghost? {
        guard case .ghost(let ghost) = motion else { return nil }
        return ghost
    }

    func place(at time: Double) -> Point {
        switch motion {
        case .finger(let place): place + offset
        case .ghost(let ghost): ghost.place(at: time) + offset
        }
    }

    mutating func move(to place: Point) { motion = .finger(place) }

    mutating func leave(as ghost: Ghost, contest: Int?) {
        motion = .ghost(ghost)
        self.contest = contest
    }

    /// What is held stays where it is; the new finger holds it from beside.
    mutating func takeOver(_ id: Int, at place: Point, time: Double) {
        offset = self.place(at: time) - place
        self.id = id
        motion = .finger(place)
    }
}
