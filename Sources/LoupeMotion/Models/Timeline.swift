/// The states that a model went through, each from its own time on.
struct Timeline<State: Sendable>: Sendable {
    private(set) var times: [Double]
    private(set) var states: [State]

    init(_ initial: State) {
        times = [-.infinity]
        states = [initial]
    }

    var last: State { states[states.count - 1] }

    /// Adds a state that holds from `time` on, which is not before the last one's.
    mutating func append(_ state: State, at time: Double) {
        if times.last == time {
            states[states.count - 1] = state
        } else {
            times.append(time)
            states.append(state)
        }
    }

    /// The state that holds at a time.
    func state(at time: Double) -> State {
        var low = 0
        var high = times.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if times[middle] <= time { low = middle } else { high = middle }
        }
        return states[low]
    }
}
