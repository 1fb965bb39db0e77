import LoupeBase
import Testing

@testable import LoupeMotion

/// What moves keeps its velocity: positions a millisecond apart around each release, snap and catch, under a finger with a
/// sample every millisecond.
@Suite struct ReleaseTests {
    /// The velocities from a time on, in points per second: of each coordinate in each millisecond.
    private func velocities(
        _ model: some MotionModel, _ key: String, from time: Double, for duration: Double
    ) -> [Vector] {
        let positions = (0...Int((duration * 1000).rounded())).map { step -> Vector in
            let frame = model.frame(at: time + Double(step) / 1000)
            let numbers = frame.numbers(key)
            return numbers.isEmpty
                ? Vector(dx: frame.number(key), dy: 0) : Vector(dx: numbers[0], dy: numbers[1])
        }
        return zip(positions, positions.dropFirst()).map { 1000 * ($1 - $0) }
    }

    /// Expects no step of more than a tenth of the velocity at the release, from 20 ms before it until the motion is slow.
    private func expectNoKick(
        _ model: some MotionModel, _ key: String, release: Double, _ comment: String
    ) {
        let all = velocities(model, key, from: release - 0.02, for: 1.5)
        let held = all[18].length
        #expect(held > 20, "\(comment): it moves")
        for (index, (velocity, next)) in zip(all, all.dropFirst()).enumerated() {
            // The rest jumps by up to a quarter of a point.
            if index > 22, velocity.length < 0.1 * held { break }
            #expect((next - velocity).length <= 0.1 * held + 1e-6, "\(comment): \(index - 19) ms after the release")
        }
    }

    private static let speeds = [200.0, 1000, 3000]

    /// A finger that goes up or to the left at a speed, over at least 40 points.
    private func script(_ speed: Double, vertical: Bool, _ write: (inout TouchScript) -> Void = { _ in }) -> (
        TouchScript, release: Double
    ) {
        var script = TouchScript()
        write(&script)
        let way = max(40, 0.06 * speed)
        let end = vertical ? (160.0, 400 - way) : (300 - way, 240.0)
        script.drag(
            from: vertical ? (160, 400) : (300, 240), to: end, at: 6, for: way / speed, rate: 1000)
        return (script, 6 + way / speed)
    }

    @Test(arguments: speeds) func scrollKeepsTheVelocityOfTheRelease(speed: Double) {
        let (script, release) = script(speed, vertical: true)
        for feel in ScrollOptions.Feel.allCases {
            for ends in ScrollOptions.Ends.allCases {
                let model = SampleModels.scroll(script.trace) {
                    $0 = ScrollOptions(feel: feel)
                    $0.ends = ends
                    $0.offset.dy = 300
                }
                expectNoKick(model, "offset", release: release, "\(feel), \(ends)")
            }
        }
        // Beyond the end the spring takes over with the velocity.
        let model = SampleModels.scroll(script.trace, height: 500) { $0 = ScrollOptions(feel: .uikit) }
        expectNoKick(model, "offset", release: release, "beyond the end")
    }

    @Test(arguments: speeds) func panoramaKeepsTheVelocityOnItsWayToAStop(speed: Double) {
        let (script, release) = script(speed, vertical: false)
        for widths in [[0.0, 600, 0], [0], [100, 100, 500, 700]] {
            let model = SampleModels.panorama(script.trace, widths: widths)
            expectNoKick(model, "presentationOffset", release: release, "\(widths)")
        }
    }

    @Test(arguments: speeds) func picturePannedOnTheFullScreenKeepsTheVelocity(speed: Double) {
        for isZoomed in [false, true] {
            let (script, release) = script(speed, vertical: false) { script in
                script.tap(50, 340, at: 1)
                if isZoomed { for time in [3, 3.2] { script.tap(160, 240, at: time) } }
            }
            expectNoKick(SampleModels.transition(script.trace), "center", release: release, "zoomed: \(isZoomed)")
        }
    }

    /// What is caught stays where it is, and moves with the finger from its first movement on.
    @Test func caughtContentDoesNotJump() {
        var script = TouchScript()
        script.drag(from: (250, 400), to: (170, 240), at: 1, for: 0.1)
        script.drag(from: (160, 240), to: (100, 240), at: 1.2, for: 0.3, rate: 1000)
        func expectCaught(_ model: some MotionModel, _ key: String) {
            let x = [1.2 - 1e-6, 1.2, 1.201].map {
                model.frame(at: $0).numbers(key).first ?? model.frame(at: $0).number(key)
            }
            #expect(abs(x[1] - x[0]) < 0.01 && near(x[2] - x[1], 0.2, 1e-6), "\(key): \(x)")
        }
        expectCaught(SampleModels.scroll(script.trace) { $0 = ScrollOptions(feel: .uikit) }, "offset")
        expectCaught(SampleModels.scroll(script.trace), "offset")
        expectCaught(SampleModels.panorama(script.trace), "presentationOffset")
    }

    /// A finger that moves along with what it catches takes it over without a step of the velocity, and passes it on when
    /// it is lifted after 80 ms.
    /// - Parameter sign: −1 where the value moves against the finger.
    private func expectCaughtInMotion(
        _ model: (TouchScript) -> some MotionModel, _ key: String, after script: TouchScript, at time: Double,
        sign: Double, _ comment: String
    ) {
        let free = velocities(model(script), key, from: time, for: 0.08)
        var (script, position) = (script, Vector(dx: 160, dy: 240))
        var finger = [(time, position.dx, position.dy)]
        for (index, velocity) in free.enumerated() {
            position = position + sign / 1000 * velocity
            finger.append((time + Double(index + 1) / 1000, position.dx, position.dy))
        }
        script.finger(finger + [finger[finger.count - 1]])
        let all = velocities(model(script), key, from: time - 0.02, for: 0.14)
        let caught = all[19].length
        #expect(caught > 100, "\(comment): it moves")
        for (index, (velocity, next)) in zip(all, all.dropFirst()).enumerated() {
            #expect((next - velocity).length <= 0.1 * caught, "\(comment): \(index - 19) ms after the catch")
        }
    }

    @Test(arguments: [1000.0, 3000]) func caughtInMotionItKeepsTheVelocityOfTheFinger(speed: Double) {
        let (vertical, release) = script(speed, vertical: true)
        for feel in ScrollOptions.Feel.allCases {
            for ends in ScrollOptions.Ends.allCases {
                let model = { (script: TouchScript) in
                    SampleModels.scroll(script.trace) {
                        $0 = ScrollOptions(feel: feel)
                        $0.ends = ends
                    }
                }
                expectCaughtInMotion(
                    model, "offset", after: vertical, at: release + 0.2, sign: -1, "\(feel), \(ends)")
            }
        }
        let (flick, flickEnd) = script(speed, vertical: false)
        expectCaughtInMotion(
            { SampleModels.panorama($0.trace) }, "presentationOffset", after: flick, at: flickEnd + 0.2, sign: -1,
            "panorama")
        let (pan, panEnd) = script(speed, vertical: false) { script in
            script.tap(50, 340, at: 1)
            for time in [3, 3.2] { script.tap(160, 240, at: time) }
        }
        expectCaughtInMotion(
            { SampleModels.transition($0.trace) }, "center", after: pan, at: panEnd + 0.1, sign: 1, "picture")
    }

    // MARK: - The picture on its way

    /// A tap on the thumbnail at 1 s presents for half a second, one at 3 s dismisses from 3.35 s on; a finger comes down on
    /// the way.
    private func caught(at time: Double, _ write: (inout TouchScript) -> Void) -> TransitionModel {
        var script = TouchScript()
        script.tap(50, 340, at: 0.95)
        if time > 3 { script.tap(160, 240, at: 2.95) }
        write(&script)
        return SampleModels.transition(script.trace)
    }

    @Test(arguments: [1.1, 1.3, 3.4, 3.5]) func flyingPictureIsHeldWhereItIsAndGoesOn(time: Double) {
        let model = caught(at: time) {
            $0.drag(from: (160, 240), to: (220, 240), at: time, for: 0.3, rate: 1000)
        }
        let frames = [-1e-6, 0, 0.001, 0.3].map { model.frame(at: time + $0) }
        #expect(frames[1].string("gesture") == "hold" && frames[1].string("phase") == frames[0].string("phase"))
        for key in ["center", "picture", "mask"] {
            for (before, held) in zip(frames[0].numbers(key), frames[1].numbers(key)) {
                #expect(abs(before - held) < 0.01, "\(key)")
            }
        }
        // With the first millisecond of the finger's movement, a fifth of a point.
        let x = frames.map { $0.numbers("center")[0] }
        #expect(near(x[2] - x[1], 0.2, 1e-6))
        // Let go, it goes on with the finger's velocity of 200 points a second, on which the spring pulls.
        let velocity = velocities(model, "center", from: time + 0.3, for: 0.003)
        #expect(abs(1.5 * velocity[0].dx - 0.5 * velocity[1].dx - 200) < 20, "\(velocity)")
        #expect(model.frame(at: 9).string("phase") == (time > 3 ? "thumbnail" : "full"))
    }

    @Test(arguments: [1.2, 3.45]) func tapOnTheFlyingPictureTurnsItRound(time: Double) {
        let model = caught(at: time) { $0.tap(150, 250, at: time) }
        #expect(model.frame(at: 9).string("phase") == (time > 3 ? "full" : "thumbnail"))
        // Turned round twice it is where it was going.
        let twice = caught(at: time) {
            $0.tap(150, 250, at: time)
            $0.tap(150, 250, at: time + 0.15)
        }
        #expect(twice.frame(at: 9).string("phase") == (time > 3 ? "thumbnail" : "full"))
        let positions = velocities(model, "center", from: time - 0.01, for: 0.4)
        #expect(positions.allSatisfy { $0.length < 5000 }, "no jump")
    }

    /// The ten points that make a touch a pan are not made up for.
    @Test func panBeginsWithoutAStep() {
        var script = TouchScript()
        script.tap(50, 340, at: 1)
        script.drag(from: (160, 240), to: (260, 240), at: 3, for: 0.1, rate: 1000)
        let speeds = velocities(SampleModels.transition(script.trace), "center", from: 3, for: 0.1)
        #expect(
            speeds.allSatisfy { $0.length <= 1000 + 1e-3 } && speeds[5].length == 0 && near(speeds[50].dx, 1000, 1e-3))
    }
}
