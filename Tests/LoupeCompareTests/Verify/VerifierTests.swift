import LoupeCompare
import LoupeImaging
import LoupeScene
import Testing

@testable import LoupeCompare

@Suite struct VerifierTests {
    private let sandbox = SceneSandbox()

    @Test("Recording never passes: the run that writes a reference ends as written, and the next one passes")
    func recording() throws {
        try sandbox.write(sandbox.scene(), to: "a/one.json")
        #expect(try sandbox.run()["a/one"]?.state == .missing && !sandbox.exists("a/one.png"))
        #expect(try sandbox.run(update: .missing)["a/one"]?.state == .written)
        #expect(try sandbox.run()["a/one"]?.state == .passed)
        #expect(try sandbox.run(update: .missing)["a/one"]?.state == .passed)
        #expect(try sandbox.run(update: .all)["a/one"]?.state == .written)
    }

    @Test("References are drawn by the oracle, whatever the renderer under test draws")
    func recordsTheOracle() throws {
        try sandbox.write(sandbox.scene(), to: "a/one.json")
        #expect(try sandbox.run(update: .failed, draw: oneOff(by: 50))["a/one"]?.state == .written)
        #expect(try sandbox.run()["a/one"]?.state == .passed)
        #expect(try sandbox.run(draw: oneOff(by: 50))["a/one"]?.state == .failed)
    }

    @Test("`missing` leaves failed references alone, `failed` replaces them, also a broken file")
    func updates() throws {
        try sandbox.write(sandbox.scene(), to: "a/one.json")
        try sandbox.write("no PNG", to: "a/one.png")
        #expect(try sandbox.run(update: .missing)["a/one"]?.state == .failed)
        #expect(try sandbox.run(update: .failed)["a/one"]?.state == .written)
        #expect(try sandbox.run(update: .failed)["a/one"]?.state == .passed)
    }

    @Test("A scene's limits can be those of any metric, and flags are for scenes without limits of their own")
    func metrics() throws {
        for (index, limits) in [
            #"{"metric": "oklab", "threshold": 40, "why": "x"}"#, #"{"metric": "flip", "maxMean": 0.9, "why": "x"}"#,
            #"{"metric": "ssim", "maxMean": 0.9, "why": "x"}"#, #"{"metric": "yiq", "threshold": 0.9, "why": "x"}"#,
            #"{"tolerance": 0, "maxRatio": 0.01, "why": "x"}"#, #"{"metric": "oklab", "threshold": 0.01, "why": "x"}"#,
            #"{"metric": "flip", "maxMean": 0.0001, "why": "x"}"#, #"{"tolerance": 0, "maxRatio": 0.001, "why": "x"}"#,
        ].enumerated() {
            try sandbox.write(sandbox.scene(extra: ", \"verify\": \(limits)"), to: "a/\(index).json")
        }
        try sandbox.write(sandbox.scene(), to: "a/plain.json")
        #expect(try sandbox.run(update: .all).count == 9)
        let flip = Metric.error(.flip(pixelsPerDegree: 67), ErrorLimits(threshold: nil, mean: 0.9))
        let results = try sandbox.run(draw: oneOff(by: 50), limits: { _ in CaseLimits(Comparison(metric: flip)) })
        for index in 0..<5 { #expect(results["a/\(index)"]?.state == .passed, "\(index)") }
        for index in 5..<8 { #expect(results["a/\(index)"]?.state == .failed, "\(index)") }
        #expect(results["a/plain"]?.state == .passed)
        #expect(try sandbox.run(draw: oneOff(by: 50))["a/plain"]?.state == .failed)
    }

    @Test("A broken case is reported as broken, and the others are verified")
    func broken() throws {
        try sandbox.write("{", to: "a/bad.json")
        try sandbox.write(#"{"layers": [{"image": "none.png"}]}"#, to: "a/pageless.json")
        try sandbox.write(sandbox.scene(), to: "a/one.json")
        try sandbox.write(sandbox.scene(), to: "b/one.json")
        let results = try sandbox.run(update: .all)
        #expect(results["a/bad"]?.state == .broken && results["a/pageless"]?.state == .broken)
        #expect(results["a/pageless"]?.message.contains("none.png") == true)
        struct Lost: Error {}
        var calls = 0
        let flaky = try sandbox.run { scene, images in
            calls += 1
            if calls == 1 { throw Lost() }
            return try oneOff(by: 0)(scene, images)
        }
        #expect(flaky["a/one"]?.state == .broken && flaky["b/one"]?.state == .passed)
    }

    @Test("A reference that can't be written ends the run")
    func unwritable() throws {
        try sandbox.write(sandbox.scene(), to: "a/one.json")
        try sandbox.write("", to: "a/one.png/file")
        #expect(throws: ImageError.self) { try sandbox.run(update: .all) }
    }

    @Test("A reference of another size fails with both sizes")
    func sizes() throws {
        try sandbox.write(sandbox.scene(), to: "a/one.json")
        try sandbox.write(Image(width: 1, height: 1, pixels: [0, 0, 0, 255]), to: "a/one.png")
        let result = try #require(try sandbox.run()["a/one"])
        #expect(result.state == .failed && result.message.hasPrefix("differs: 1×1 → 20×10 pixels, compared"))
    }

    @Test("The specification's tolerance holds where a scene states none: 2, and few pixels over 1")
    func specified() throws {
        try sandbox.write(sandbox.scene(), to: "a/one.json")
        _ = try sandbox.run(update: .all)
        #expect(try sandbox.run(draw: oneOff(by: 1))["a/one"]?.state == .passed)
        #expect(try sandbox.run(draw: oneOff(by: 3))["a/one"]?.state == .failed)
        // One of 200 pixels is more than a thousandth.
        let result = try #require(try sandbox.run(draw: oneOff(by: 2))["a/one"])
        #expect(result.state == .failed && result.message.hasPrefix("differs: 1 of 200 pixels differ by more than 1"))
    }

    @Test("A scene's own limits hold instead, by region")
    func stated() throws {
        let limits = #", "verify": {"tolerance": 4, "regions": {"page": 1}, "why": "an example"}"#
        try sandbox.write(sandbox.scene(extra: limits), to: "a/one.json")
        _ = try sandbox.run(update: .all)
        let passed = try #require(try sandbox.run(draw: oneOff(by: 3))["a/one"])
        #expect(passed.state == .passed)
        #expect(try sandbox.run(draw: oneOff(by: 5))["a/one"]?.state == .failed)
        let inPage = oneOff(by: 3, x: 5 * 20 + 10)
        #expect(try sandbox.run(draw: inPage)["a/one"]?.state == .failed)
    }

    @Test("Limits without a reason, with a misspelt key or out of range break the case")
    func badLimits() throws {
        let limits = [
            #"{"tolerance": 4}"#, #"{"tolerence": 4, "why": "x"}"#, #"{"tolerance": 256, "why": "x"}"#,
            #"{"regions": {"edge": 4}, "why": "x"}"#, #"{"metric": "flip", "tolerance": 1, "why": "x"}"#,
            #"{"maxMean": 0.1, "why": "x"}"#, #"{"why": ""}"#, "4",
        ]
        for (index, text) in limits.enumerated() {
            try sandbox.write(sandbox.scene(extra: ", \"verify\": \(text)"), to: "a/\(index).json")
        }
        let results = try sandbox.run(update: .all)
        #expect(results.values.allSatisfy { $0.state == .broken && $0.message.hasPrefix("verify") })
        #expect(results.count == limits.count)
    }
}
