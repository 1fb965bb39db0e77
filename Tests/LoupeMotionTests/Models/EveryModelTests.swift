import LoupeBase
import LoupeScene
import Testing

@testable import LoupeMotion

/// The properties that hold for every model with any trace.
@Suite struct EveryModelTests {
    @Test(arguments: 0..<20) func frameRatesAgreeAtCommonTimes(seed: UInt64) {
        let trace = TouchScript.random(seed: seed)
        for model in SampleModels.all(trace) {
            let sessions = [30.0, 60, 120].map {
                Session(model: model, trace: trace, framesPerSecond: $0, duration: 7)
            }
            let counts = sessions.map(\.frameCount)
            #expect(counts == [210, 420, 840])
            // Frames may be requested backwards.
            for frame in (0..<210).reversed() {
                let frames = zip(sessions, [1, 2, 4]).map { session, factor in
                    session.model.frame(at: session.time(ofFrame: frame * factor))
                }
                #expect(frames[0] == frames[1] && frames[0] == frames[2])
            }
        }
    }

    /// A hand sees, frame by frame, what its trace shows afterwards, so later events never change earlier frames; an earlier
    /// hand leaves nothing behind.
    @Test(arguments: 0..<10) func eventsOneByOneShowWhatTheTraceShows(seed: UInt64) {
        let trace = TouchScript.random(seed: seed)
        for model in SampleModels.all(trace) {
            var hand = model.restarted
            var coming = trace.events[...]
            for step in 0...210 {
                let time = Double(step) / 30
                while let event = coming.first, event.time <= time {
                    hand.handle(event)
                    coming.removeFirst()
                }
                hand.pass(until: time)
                #expect(hand.frame(at: time) == model.frame(at: time))
            }
        }
    }

    @Test(arguments: 0..<5) func anotherRecordingReplacesTheFirst(seed: UInt64) {
        let (first, second) = (TouchScript.random(seed: seed), TouchScript.random(seed: seed + 100))
        for (before, wanted) in zip(SampleModels.all(first), SampleModels.all(second)) {
            let session = Session(model: before, trace: first, framesPerSecond: 60, duration: 7).following(second)
            // The last frame shows the rest.
            #expect(session.duration == wanted.duration + 1 / 60 && session.trace == second)
            for step in 0...90 {
                let time = Double(step) / 15
                #expect(session.model.frame(at: time) == wanted.frame(at: time))
            }
        }
    }

    @Test(arguments: 0..<20) func scenesAreValidAndKeysStayTheSame(seed: UInt64) throws {
        for model in SampleModels.all(TouchScript.random(seed: seed)) {
            var keys: [String]?
            for step in 0...140 {
                let frame = model.frame(at: Double(step) / 20)
                let text = Array(SceneEncoder().encode(frame.scene).utf8)
                #expect(try SceneDecoder { _ in ImageSize(width: 1, height: 1) }.decode(text) == frame.scene)
                guard case .object(let object) = frame.states else { continue }
                #expect(keys == nil || keys == object.members.map(\.key))
                keys = object.members.map(\.key)
                let line = frame.states.line
                #expect(!["null", "-0,", "-0]", "-0}"].contains { line.contains($0) })
            }
        }
    }

    @Test(arguments: 0..<20) func nothingMovesAfterTheDuration(seed: UInt64) {
        for model in SampleModels.all(TouchScript.random(seed: seed)) {
            let end = model.frame(at: model.duration + 0.001).scene
            #expect(model.frame(at: model.duration + 100).scene.layers.map(\.rect) == end.layers.map(\.rect))
        }
    }
}
