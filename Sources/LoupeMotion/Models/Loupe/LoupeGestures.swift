import LoupeBase
import LoupeScene

/// The touch handling of the loupe: it assigns a role to each touch, and carries out what the touch does. The rules
/// are in docs/motion.md.
struct LoupeGestures {
    let options: LoupeModelOptions
    let border: CanvasBorder
    var state: LoupeState
    /// All strokes that were ever begun, and the paths of erasers; the index is the stroke's number.
    var paths: [ToolPath] = []
    var arbiter: Arbiter
    var steps: RewindSteps
    private var down = TouchesDown()
    /// The time of the last event, in seconds.
    var now = 0.0

    init(canvas: Scene.Canvas, options: LoupeModelOptions) {
        self.options = options
        border = CanvasBorder(canvas, ghostLife: options.thresholds.ghostLife)
        state = LoupeState(
            canvas: canvas, center: canvas.rect.center, radius: options.look.radius, tools: LoupeTools(options))
        arbiter = Arbiter(options.thresholds)
        steps = RewindSteps(step: options.thresholds.rewindStep)
    }

    /// Processes a touch. A touch that begins again before it has ended, and one that never began, have no effect.
    mutating func handle(_ touch: Touch, at time: Double) {
        let isDown = down.touches.contains { $0.id == touch.id }
        guard isDown == (touch.phase != .began), let tracked = down.apply(touch, at: time) else { return }
        now = time
        state.ended.removeAll { $0.shownPart(at: time) == 1 }
        switch touch.phase {
        case .began: begin(tracked, at: time)
        case .moved: move(tracked, at: time)
        case .ended, .cancelled: lift(tracked, isCancelled: touch.phase == .cancelled, at: time)
        }
        report()
    }

    /// Lets the work of touches show that cannot become a Rewind any more, and copies the arena's last decision and its
    /// records into the state.
    mutating func report() {
        for index in state.touches.indices where state.touches[index].release == .infinity {
            if arbiter.contest(of: state.touches[index].id) == nil { state.touches[index].release = now }
        }
        state.decision = arbiter.decision
        state.records = arbiter.contests.map {
            LoupeState.PairRecord(number: $0.number, touches: $0.ids, records: $0.records)
        }
    }

    /// The loupe as it is shown.
    var disc: (center: Point, radius: Double, zoom: Double) { state.disc(options, at: now) }

    func index(of id: Int) -> Int? { state.touches.firstIndex { $0.id == id } }

    /// Gives a touch another role, without the work of the old one.
    mutating func setRole(_ role: TouchRole, of id: Int) {
        guard let index = index(of: id) else { return }
        state.touches[index] = LoupeTouch(id: id, position: state.touches[index].position, role: role)
    }

    /// Restarts the measurement of velocity: a movement together with another finger says nothing about a finger
    /// alone.
    mutating func forgetVelocity(of ids: [Int]) { down.forgetVelocity(of: ids) }

    // MARK: - A touch begins

    private mutating func begin(_ touch: TrackedTouch, at time: Double) {
        if takeOver(touch, at: time) { return }
        if let choice = options.choice(at: touch.position) { return choose(choice, touch, at: time) }
        let role = role(at: touch.position)
        let partner = partner(of: touch, in: role)
        let stroke = role == .drawing ? beginStroke(at: touch.position) : nil
        let release = role == .waiting ? -.infinity : time + GestureThresholds.landingTime
        state.touches.append(
            LoupeTouch(id: touch.id, position: touch.position, role: role, stroke: stroke, release: release))
        guard let partner else { return }
        arbiter.watch(partner, touch, for: role == .waiting ? .anything : .rewind, at: time)
        guard let first = index(of: partner.id), state.touches[first].release > time else { return }
        for index in [first, state.touches.count - 1] { state.touches[index].release = .infinity }
    }

    private func role(at position: Point) -> TouchRole {
        guard state.phase == .held else { return arbiter.isBusy ? .idle : .waiting }
        // At the side of a ghost, but too far from it: a finger that comes back never draws.
        if state.hold?.ghosts.contains(where: { border.isNear(position, $0.ghost) }) == true { return .idle }
        let fromEdge = position.distance(to: disc.center) - disc.radius
        if abs(fromEdge) <= options.thresholds.edgeBand { return .resizing }
        return fromEdge < 0 ? .drawing : .idle
    }

    /// The touch with which a new one forms a pair: among those that wait too, or that came down beside it at nearly
    /// the same time and do not hold the loupe, the one most likely to belong to the same hand. A touch that already
    /// forms a pair with a likelier touch stays in it, so that a palm or a resting finger does not separate two active
    /// fingers.
    private func partner(of touch: TrackedTouch, in role: TouchRole) -> TrackedTouch? {
        let free = down.touches.filter { other in
            guard other.id != touch.id, isFree(other, for: touch), let index = index(of: other.id) else { return false }
            return role == .waiting ? state.touches[index].role == .waiting : adjoins(other, touch)
        }
        return free.min { separation(of: $0, from: touch) < separation(of: $1, from: touch) }
    }

    private func isFree(_ other: TrackedTouch, for touch: TrackedTouch) -> Bool {
        guard let contest = arbiter.contest(of: other.id) else { return true }
        guard contest.winner == nil else { return false }
        return separation(of: other, from: touch)
            < GestureThresholds.separation(span: contest.pair.startSpan, delay: contest.pair.delay)
    }

    private func separation(of other: TrackedTouch, from touch: TrackedTouch) -> Double {
        GestureThresholds.separation(
            span: other.position.distance(to: touch.position), delay: touch.startTime - other.startTime)
    }

    private func adjoins(_ other: TrackedTouch, _ touch: TrackedTouch) -> Bool {
        guard let index = index(of: other.id) else { return false }
        return ![.waiting, .holding, .choosing].contains(state.touches[index].role)
            && touch.startTime - other.startTime <= GestureThresholds.togetherTime
            && touch.position.distance(to: other.position) <= GestureThresholds.adjoiningSpan
    }

    // MARK: - A touch moves

    private mutating func move(_ touch: TrackedTouch, at time: Double) {
        guard let index = index(of: touch.id) else { return }
        let before = state.touches[index].position
        state.touches[index].position = touch.position
        if let contest = arbiter.move(touch.id, to: touch.position, at: time) { follow(contest) }
        // Fingers that land together rest first.
        if touch.travel > options.thresholds.panTravel, arbiter.contest(of: touch.id) == nil {
            state.touches[index].release = min(state.touches[index].release, time)
        }
        switch state.touches[index].role {
        case .waiting: grab(touch)
        case .holding: moveLoupe(touch, at: time)
        case .drawing: draw(index, to: touch.position)
        case .resizing: resize(index, from: before, to: touch.position)
        case .choosing, .rewinding, .idle, .ghost, .moving: break
        }
    }

    /// Starts a gesture that has just won. Rewind also continues here, because it follows both touches together.
    private mutating func follow(_ contest: Contest) {
        guard let winner = contest.records.first(where: { $0.state.isActive }) else { return }
        let isNew = winner.state == .began
        if isNew, contest.purpose == .anything { idleOthers(than: contest.pair.ids) }
        switch winner.gesture {
        case .pinch, .pan: hold(contest, zooms: winner.gesture == .pinch, isNew: isNew)
        case .rewind:
            if isNew { beginRewind(contest) }
            rewind(to: contest.pair.path.turning.degrees)
        }
    }

    /// When a gesture begins, the other waiting touches no longer have an effect.
    private mutating func idleOthers(than ids: [Int]) {
        for touch in state.touches where touch.role == .waiting && !ids.contains(touch.id) {
            setRole(.idle, of: touch.id)
        }
    }

    // MARK: - A touch is gone

    private mutating func lift(_ touch: TrackedTouch, isCancelled: Bool, at time: Double) {
        guard let index = index(of: touch.id) else { return }
        if state.touches[index].role == .holding, !isCancelled, leave(touch, at: time) {
            state.touches.remove(at: index)
            return
        }
        // A stroke ends at the last position of the finger.
        if !isCancelled { draw(index, to: touch.position) }
        let ended = state.touches.remove(at: index)
        if let contest = arbiter.lift(touch.id, isCancelled: isCancelled, at: time) { freePartner(in: contest) }
        endWork(of: ended, isCancelled: isCancelled)
        if isCancelled { takeBackChoice(of: ended, at: time) }
        if ended.role == .holding { letGo(touch.id, at: time) }
        if ended.role == .rewinding { endRewind(isCancelled: isCancelled) }
    }

    /// The other touch of a finished gesture takes part in no other; a touch that was only observed continues.
    private mutating func freePartner(in contest: Contest) {
        guard contest.records.contains(where: { $0.state != .failed }) else { return }
        for id in contest.pair.ids {
            guard let index = index(of: id) else { continue }
            let role = state.touches[index].role
            if role == .waiting || role == .rewinding { setRole(.idle, of: id) }
        }
    }
}

/// Choosing a tool, drawing, resizing and rewinding.
extension LoupeGestures {
    // MARK: - The tray

    /// A touch in the tray does nothing else. It chooses a tool at once if a finger on the glass holds the loupe.
    private mutating func choose(_ choice: TrayRegion.Choice, _ touch: TrackedTouch, at time: Double) {
        var made: TrayChoice?
        if state.hold?.hasFinger == true {
            var tools = state.tools
            tools.choose(choice)
            made = TrayChoice(before: state.tools, after: tools)
            use(tools, touch.id, at: time)
        }
        state.touches.append(LoupeTouch(id: touch.id, position: touch.position, role: .choosing, choice: made))
    }

    /// A choice whose touch is cancelled is taken back, unless another touch has chosen since.
    private mutating func takeBackChoice(of touch: LoupeTouch, at time: Double) {
        guard let choice = touch.choice, state.tools == choice.after else { return }
        use(choice.before, touch.id, at: time)
    }

    private mutating func use(_ tools: LoupeTools, _ id: Int, at time: Double) {
        state.tools = tools
        arbiter.decision = GestureDecision(time: time, touches: [id], text: "tool: \(tools.tool.text)")
    }

    // MARK: - Strokes

    private mutating func beginStroke(at position: Point) -> DrawnStroke {
        let tool = state.tools.tool
        var stroke = Stroke(points: [pagePoint(under: position)], width: tool.width / disc.zoom)
        if case .pen(_, let color) = tool { stroke.color = color }
        let drawn = DrawnStroke(number: paths.count)
        paths.append(ToolPath(stroke: stroke, erases: tool.erases))
        state.history.begin(drawn.number)
        return drawn
    }

    /// Draws on, if the touch at an index draws.
    private mutating func draw(_ index: Int, to position: Point) {
        let point = pagePoint(under: position)
        guard let number = state.touches[index].stroke?.number, paths[number].stroke.points.last != point else {
            return
        }
        paths[number].stroke.points.append(point)
        state.touches[index].stroke?.points += 1
    }

    /// The point of the page that the loupe shows under a finger, in canvas pixels.
    private func pagePoint(under position: Point) -> Point {
        return (disc.center + 1 / disc.zoom * (position - disc.center)).withinScenes
    }

    // MARK: - The edge

    /// The radius follows the finger's distance from the centre; with several fingers, the mean of their changes.
    private mutating func resize(_ index: Int, from start: Point, to end: Point) {
        let center = disc.center
        let count = state.touches.count { $0.role == .resizing }
        state.touches[index].change += (end.distance(to: center) - start.distance(to: center)) / Double(count)
    }

    // MARK: - The end of drawing and resizing

    /// Completes what a touch draws or resizes, or takes it back. What does not show yet still catches up.
    mutating func endWork(of touch: LoupeTouch, isCancelled: Bool) {
        if let number = touch.stroke?.number {
            if isCancelled { state.history.cancel(number) } else { state.history.finish(number) }
        }
        guard !isCancelled else { return }
        var ended = touch
        let radius = (state.radius + touch.change).clamped(to: options.radiusRange)
        (ended.change, ended.release) = (radius - state.radius, min(touch.release, now))
        state.radius = radius
        state.ended.append(ended)
    }

    // MARK: - Rewind

    /// Cancels what the two touches had begun.
    mutating func beginRewind(_ contest: Contest) {
        for id in contest.pair.ids {
            guard let index = index(of: id) else { continue }
            endWork(of: state.touches[index], isCancelled: true)
            setRole(.rewinding, of: id)
        }
        state.history.beginRewind()
        state.rewind = LoupeState.Rewind()
        steps = RewindSteps(step: options.thresholds.rewindStep)
    }

    /// Undoes or redoes strokes up to a turning.
    /// - Parameter turning: In degrees, clockwise positive.
    mutating func rewind(to turning: Double) {
        state.rewind.turning = turning
        let count = steps.advance(to: turning)
        for _ in 0..<abs(count) {
            let hasMoved = count > 0 ? state.history.redo() : state.history.undo()
            if hasMoved { state.rewind.strokes += count.signum() }
        }
    }

    mutating func endRewind(isCancelled: Bool) {
        guard isCancelled else { return state.history.endRewind() }
        state.history.cancelRewind()
        state.rewind.strokes = 0
    }
}
