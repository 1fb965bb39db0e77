import Glibc
import LoupeImaging
import LoupeRenderer
import LoupeScene
import Testing

@MainActor @Suite struct TempTiming {
    @Test func time() throws {
        guard let list = getenv("LOUPE_TIME") else { return }
        let renderer = try GPU.renderer()
        try renderer.holdContext()
        let names = String(cString: list).split(separator: ",").map(String.init)
        let plans = try names.map {
            DrawPlan(
                try SceneDecoder(imageSize: Pages.size(of:)).decode(InputBytes.read(path: $0)), images: Pages.traits)
        }
        var times = names.map { _ in [Double]() }
        var planTimes = names.map { _ in [Double]() }
        let clock = ContinuousClock()
        for round in 0..<60 {
            for (index, plan) in plans.enumerated() {
                let p0 = clock.now
                _ = DrawPlan(plan.scene, images: Pages.traits)
                let start = clock.now
                try renderer.drawWithoutReading(plan)
                try renderer.finish()
                let end = clock.now
                if round > 3 {
                    times[index].append((end - start) / .milliseconds(1))
                    planTimes[index].append((start - p0) / .milliseconds(1))
                }
            }
        }
        for (index, name) in names.enumerated() {
            let s = times[index].sorted()
            let q = planTimes[index].sorted()
            print(
                "TIME", name.split(separator: "/").last!, "min", s[0], "q1", s[s.count / 4], "median", s[s.count / 2],
                "plan", q[q.count / 2])
        }
    }
}
