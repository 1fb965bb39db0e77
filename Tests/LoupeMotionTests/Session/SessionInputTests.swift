import LoupeBase
import LoupeScene
import Testing

@testable import LoupeMotion

@Suite struct SessionInputTests {
    @Test(arguments: 0..<5) func theInputAtATimeIsThatOfAllEventsUpToIt(seed: UInt64) {
        let trace = TouchScript.random(seed: seed)
        let session = Session(
            model: .scroll(SampleModels.scroll(trace)), trace: trace, framesPerSecond: 60, duration: 7)
        for step in -1...140 {
            let time = Double(step) / 20
            var touches: [Int: Touch] = [:]
            var rates: [(time: Double, rate: RotationRate)] = []
            for event in trace.events where event.time <= time {
                switch event.content {
                case .touch(let touch): touches[touch.id] = touch
                case .rotation(let rate): rates.append((event.time, rate))
                }
            }
            let down = touches.values.filter { $0.phase == .began || $0.phase == .moved }.sorted { $0.id < $1.id }
            #expect(
                session.touches(at: time)
                    == down.map { ShownTouch(id: $0.id, position: $0.position, role: .moving) })
            let turn = zip(rates, rates.dropFirst()).reduce(0) {
                $0 + ($1.1.time - $1.0.time) * ($1.0.rate.y + $1.1.rate.y) / 2
            }
            #expect(session.turn(at: time).y == turn)
        }
    }
}
