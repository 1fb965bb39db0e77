import LoupeBase
import LoupeScene
import Testing

/// The JSON of `--stats` (specification, section 8).
@Suite struct StatisticsTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    @Test func statisticsHaveTheKeysOfTheManual() throws {
        let outcome = place.run(
            "page.png", "-o", "out.png", "--margin", "10", "--at", "10,10", "--radius", "9", "--scale", "1", "--stats",
            "-")
        let stats = try JSONValue(parsing: outcome.output)
        #expect(stats.keys == ["device", "views", "images", "milliseconds"])
        #expect(stats["device"].keys == ["vendor", "renderer", "version", "software"])
        #expect(stats["milliseconds"].keys == ["decode", "start", "draw", "encode", "total"])
        let views = stats["views"].elements
        #expect(views.map { $0["view"] } == ["base", "loupe 0"])
        #expect(views.map { $0["state"] } == ["corner", "corner"])
        for view in views {
            #expect(view.keys == ["view", "layer", "state", "pixels"])
            #expect(view["pixels"].keys == ["no-edge", "single-edge", "corner", "outside"])
        }
        #expect(views[0]["pixels"].numbers.reduce(0, +) == 60 * 50)
    }
}
