import LoupeBase
import LoupeMotion

// What the page's script calls of a session. Positions are in canvas pixels, times in seconds.

private nonisolated(unsafe) var numbers: [Double] = []

private func show(_ values: [Double]) -> UnsafePointer<Double>? {
    numbers = values
    return numbers.withUnsafeBufferPointer { $0.baseAddress }
}

private func say(_ value: JSONValue) -> Int32 {
    message = Array(value.line.utf8)
    return 0
}

/// Shows the recording at a time.
@_expose(wasm, "session_seek") @_cdecl("session_seek")
package func seek(_ time: Double) { if time.isFinite { figure?.session?.seek(to: max(0, time)) } }

/// Plays the trace that was written into the reserved room.
@_expose(wasm, "session_play") @_cdecl("session_play")
package func play() -> Int32 {
    do {
        try figure?.session?.play(input)
        input = []
        return 0
    } catch {
        return fail(error.description)
    }
}

/// Plays what came with the page.
@_expose(wasm, "session_play_given") @_cdecl("session_play_given")
package func playGiven() { figure?.session?.playGiven() }

/// Four numbers of what is played: seconds, frames a second, how many frames, and 1 where it has a recording.
@_expose(wasm, "session_length") @_cdecl("session_length")
package func length() -> UnsafePointer<Double>? {
    guard let played = figure?.session?.played else { return show([0, 60, 1, 0]) }
    return show([
        played.duration, played.framesPerSecond, Double(played.frameCount), played.trace == nil ? 0 : 1,
    ])
}

/// What `replay --states` writes of a frame of what is played, as the message.
@_expose(wasm, "session_states") @_cdecl("session_states")
package func states(_ number: Int32) -> Int32 {
    guard let figure, let session = figure.session else { return fail("the figure is no session") }
    let time = session.played.time(ofFrame: Int(number))
    return say(
        session.played.model.frame(at: time).described(number: Int(number), at: time, images: figure.traits))
}

/// The lanes and decisions of what is played, as the message.
@_expose(wasm, "session_timeline") @_cdecl("session_timeline")
package func timeline() -> Int32 {
    guard let session = figure?.session else { return fail("the figure is no session") }
    return say(SessionTimeline(session.played).json)
}

/// The touches of what is shown, as the message: `[[x, y, "#009e73", 0]]` with their colours, and 1 for a ghost.
@_expose(wasm, "session_touches") @_cdecl("session_touches")
package func touches() -> Int32 {
    say(
        .array(
            (figure?.session?.touches ?? []).map { touch in
                [
                    .number(touch.position.x), .number(touch.position.y), .string(touch.role.color),
                    .number(touch.role == .ghost ? 1 : 0),
                ]
            }))
}

/// Two numbers: how far the device is turned about its x and its y axis, in radians.
@_expose(wasm, "session_turn") @_cdecl("session_turn")
package func turn() -> UnsafePointer<Double>? {
    let turn: (x: Double, y: Double) = figure?.session?.turn ?? (0, 0)
    return show([turn.x, turn.y])
}

/// The last decision about the reader's gestures, as the message; null for none.
@_expose(wasm, "session_decision") @_cdecl("session_decision")
package func decision() -> Int32 { say(figure?.session?.decision ?? .null) }

/// Gives the model to the reader.
@_expose(wasm, "session_take_up") @_cdecl("session_take_up")
package func takeUp() { figure?.session?.takeUp() }

/// A finger of the reader: phase 0 began, 1 moved, 2 ended, 3 cancelled.
@_expose(wasm, "session_touch") @_cdecl("session_touch")
package func sessionTouch(_ id: Int32, _ phase: Int32, _ x: Double, _ y: Double, _ time: Double) {
    guard let touch = Touch(id, phase, x, y), time.isFinite else { return }
    figure?.session?.handle(Trace.Event(time: time, .touch(touch)))
}

/// A sample of the gyroscope, in radians a second.
@_expose(wasm, "session_rotation") @_cdecl("session_rotation")
package func rotation(_ x: Double, _ y: Double, _ z: Double, _ time: Double) {
    guard x.isFinite, y.isFinite, z.isFinite, time.isFinite else { return }
    figure?.session?.handle(Trace.Event(time: time, .rotation(RotationRate(x: x, y: y, z: z))))
}

/// Shows the model in the hand at a time.
/// - Returns: 1 where anything looks different.
@_expose(wasm, "session_pass") @_cdecl("session_pass")
package func pass(_ time: Double) -> Int32 {
    time.isFinite && figure?.session?.pass(until: max(0, time)) == true ? 1 : 0
}
