/// Whether events make sense one after the other.
struct TraceChecker {
    private var lastTime = 0.0
    private var isEmpty = true
    private var idsDown: Set<Int> = []

    /// Takes the next event in.
    /// - Returns: What is wrong with it; nil where nothing is.
    mutating func accept(_ event: Trace.Event) -> String? {
        guard isEmpty || event.time >= lastTime else {
            return
                "it is at \(event.time.text) s, before the \(lastTime.text) s of the event before it; events are needed in order"
        }
        isEmpty = false
        lastTime = event.time
        guard case .touch(let touch) = event.content else { return nil }
        return accept(touch)
    }

    private mutating func accept(_ touch: Touch) -> String? {
        let isDown = idsDown.contains(touch.id)
        switch touch.phase {
        case .began:
            if isDown { return "touch \(touch.id) began again before it ended" }
            if idsDown.count == Touch.greatestCount { return "it is the eleventh touch at once; allowed are 10" }
            idsDown.insert(touch.id)
        case .moved:
            if !isDown { return "touch \(touch.id) moved before it began" }
        case .ended, .cancelled:
            if !isDown { return "touch \(touch.id) \(touch.phase) before it began" }
            idsDown.remove(touch.id)
        }
        return nil
    }

    /// What is wrong with the recording as a whole; nil where nothing is.
    var problemAtEnd: String? {
        if isEmpty { return "it holds no event; at least one is needed" }
        guard let id = idsDown.min() else { return nil }
        return "touch \(id) never ends; an event with the phase ended or cancelled is needed"
    }
}
