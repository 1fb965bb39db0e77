import LoupeBase
import LoupeScene

/// Opening, moving, zooming and closing the loupe.
extension LoupeGestures {
    private var thresholds: LoupeThresholds { options.thresholds }

    // MARK: - Taking hold

    /// A pinch or a pan on the loupe takes hold of it. Elsewhere a pinch that spreads opens the loupe anew, and
    /// everything else has no effect.
    mutating func hold(_ contest: Contest, zooms: Bool, isNew: Bool) {
        guard state.hold == nil else { return }
        let pair = contest.pair
        if isNew, state.isOpen, isOnLoupe(pair.centroid) {
            takeHold(pair.ids, zooms: zooms)
        } else if zooms, pair.span >= pair.leastSpan + thresholds.pinchSpan {
            state.isOpen = true
            state.center = pair.centroid
            state.zoom = 1
            state.radius = options.look.radius
            takeHold(pair.ids, zooms: true)
        }
    }

    /// A single finger takes hold of a resting loupe by dragging it.
    mutating func grab(_ touch: TrackedTouch) {
        guard state.phase == .resting, arbiter.contest(of: touch.id) == nil, touch.travel > thresholds.panTravel,
            isOnLoupe(touch.start)
        else { return }
        takeHold([touch.id], zooms: false)
    }

    private mutating func takeHold(_ ids: [Int], zooms: Bool) {
        let grips = ids.compactMap { id in index(of: id).map { Grip(id: id, position: state.touches[$0].position) } }
        for id in ids { setRole(.holding, of: id) }
        state.hold = LoupeHold(grips, zooms: zooms, center: disc.center, zoom: state.zoom)
    }

    private func isOnLoupe(_ position: Point) -> Bool {
        return position.distance(to: disc.center) <= disc.radius + thresholds.edgeBand
    }

    // MARK: - Holding

    mutating func moveLoupe(_ touch: TrackedTouch, at time: Double) {
        state.hold?.move(touch.id, to: touch.position)
        guard let hold = state.hold, hold.zoom < GestureThresholds.closingZoom else { return }
        let number = arbiter.contest(of: touch.id)?.number
        settle(at: time)
        close()
        // The same fingers may open it again.
        if let number { arbiter.forgetLeastSpan(of: number) }
    }

    /// A finger on the glass is lifted. When the last one is lifted, ghosts end too: the hand has released the loupe
    /// visibly.
    mutating func letGo(_ id: Int, at time: Double) {
        guard let hold = state.hold else { return }
        let left = hold.without(id, zoomRange: options.zoomRange)
        let fingers = left?.grips.filter { $0.ghost == nil }.map { $0.id } ?? []
        forgetVelocity(of: fingers)
        become(fingers.isEmpty ? nil : left, at: time)
    }

    private mutating func become(_ hold: LoupeHold?, at time: Double) {
        if let hold {
            state.hold = hold
        } else {
            settle(at: time)
            if options.released == .closes { close() }
        }
    }

    /// The loupe stays at rest where it is.
    private mutating func settle(at time: Double) {
        let ghosts = state.hold?.grips.filter { $0.ghost != nil } ?? []
        state.center = disc.center
        state.zoom = disc.zoom
        state.hold = nil
        for number in ghosts.compactMap({ $0.contest }) { arbiter.giveUp(ghostOf: number, at: time) }
    }

    /// What was drawn and resized remains; the fingers that did it have no effect any more.
    private mutating func close() {
        state.isOpen = false
        for touch in state.touches where [.holding, .drawing, .resizing].contains(touch.role) {
            setRole(.idle, of: touch.id)
            endWork(of: touch, isCancelled: false)
        }
    }

    // MARK: - Off the screen

    /// Replaces a touch that leaves the screen by a ghost.
    /// - Returns: Whether the touch has become a ghost.
    mutating func leave(_ touch: TrackedTouch, at time: Double) -> Bool {
        guard let ghost = border.ghost(of: touch, at: time) else { return false }
        state.hold?.leave(touch.id, as: ghost, contest: arbiter.leave(touch.id))
        return true
    }

    /// Lets a touch take over from its ghost.
    /// - Returns: Whether the touch has come back and taken over.
    mutating func takeOver(_ touch: TrackedTouch, at time: Double) -> Bool {
        guard let hold = state.hold else { return false }
        let back = hold.ghosts.filter { border.isBack(touch.position, $0.ghost, at: time) }
        let nearest = back.min {
            $0.ghost.distance(to: touch.position, at: time) < $1.ghost.distance(to: touch.position, at: time)
        }
        guard let index = nearest?.index else { return false }
        if let number = hold.grips[index].contest {
            arbiter.come(touch.id, at: touch.position, into: number, time: time)
        }
        // The new finger holds the same point of the loupe.
        state.hold?.grips[index] = Grip(id: touch.id, position: touch.position, contest: hold.grips[index].contest)
        state.touches.append(LoupeTouch(id: touch.id, position: touch.position, role: .holding))
        return true
    }

    /// The end of the next ghost, in seconds; nil without one.
    var ghostEnd: Double? { state.hold?.nextEnd?.time }

    /// Ends the ghost whose lifetime is over.
    mutating func giveUpGhost(at time: Double) {
        guard let hold = state.hold, let index = hold.nextEnd?.index else { return }
        now = time
        let contest = hold.grips[index].contest
        become(hold.without(gripAt: index, zoomRange: options.zoomRange), at: time)
        if let contest { arbiter.giveUp(ghostOf: contest, at: time) }
        report()
    }
}
