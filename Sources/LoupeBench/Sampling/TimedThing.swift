import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene

/// Something that is timed, and all cases that it is: cases that draw the same are timed once.
struct TimedThing {
    /// A case, and what is known about it before it is timed.
    struct Case {
        let name: String
        /// The name of the case it is compared with; nil for none.
        var base: String?
        /// The fragments shaded in one repetition, by program.
        var fragments: [String: Int] = [:]
        /// How many pixels differ from the picture it is compared with; 0 if none is over the tolerance.
        var pixelsOverTolerance = 0
    }

    var cases: [Case]
    let draw: Sampler.Draw
}

extension BenchDevice {
    /// The things of a group that a plan asks for, each drawn once.
    /// - Throws: `ShaderFailure` or `BenchError` for a shader of the user's, or a renderer's error.
    func things(of group: BenchGroup, _ plan: BenchPlan) throws -> [TimedThing] {
        switch group {
        case .frames: try frames(plan)
        case .states(let setting): try states(plan.cases(setting), on: plan.stage(setting))
        case .fragments: try plan.fragments.map { try shaders($0, plan.wants) } ?? []
        }
    }

    // MARK: - Frames and transfers

    /// Uploading the page, reading back and encoding the picture; and whole frames of a moving loupe, planning included: with
    /// the page drawn, over a page that is drawn already, and the latter with each filter.
    private func frames(_ plan: BenchPlan) throws -> [TimedThing] {
        let stage = try plan.stage(plan.frameSetting())
        let images = [BenchPage.path: try loadPage(stage.pageSize)]
        let (renderer, size) = (renderer, stage.pageSize)
        let page = BenchPage.picture(width: size.width, height: size.height)
        let image = try renderer.render(DrawPlan(stage.scene(.noEdge), images: images))
        var things: [TimedThing] = []
        func add(_ name: String, _ once: @escaping () throws -> Void) {
            guard plan.wants(name) else { return }
            things.append(TimedThing(cases: [.init(name: name)]) { times in for _ in 0..<times { try once() } })
        }
        add("upload/\(page.size.caseName)") { try renderer.load([BenchPage.path: page]) }
        add("read-back/\(image.size.caseName)") { _ = try renderer.readCanvas() }
        add("encode/\(image.size.caseName)") { _ = try? PNG.encode(image) }
        for state in [ClipState.noEdge, .corner] {
            let scene = stage.scene(state)
            add("frame/base-drawn/\(state.rawValue)") {
                try renderer.drawWithoutReading(DrawPlan(scene, images: images))
            }
            add("frame/base-cached/\(state.rawValue)") { try renderer.drawLoupes(of: DrawPlan(scene, images: images)) }
        }
        for filter in Filter.allCases {
            let scene = try plan.stage(plan.frameSetting(filter)).scene(.noEdge)
            add("frame/filter/\(filter.rawValue)") { try renderer.drawLoupes(of: DrawPlan(scene, images: images)) }
        }
        return things
    }

    // MARK: - States

    /// Everything that determines what a case draws.
    private struct DrawnThing: Hashable {
        let state: ClipState
        let pieces: [[Piece]]
    }

    /// Draws each case, equal drawings only once, and compares its picture with the first one of the same state.
    private func states(_ cases: [BenchCase], on stage: Stage) throws -> [TimedThing] {
        let traits = try loadPage(stage.pageSize)
        var things: [TimedThing] = []
        var indices: [DrawnThing: Int] = [:]
        var reference: (state: ClipState, image: Image)?
        for benchCase in cases {
            let plan = DrawPlan(
                stage.scene(benchCase.state), images: [BenchPage.path: traits], policy: benchCase.variant)
            let pieces = plan.views.filter { $0.view.kind != .base }.flatMap(\.layers).map(\.pieces)
            let drawn = DrawnThing(state: benchCase.state, pieces: pieces)
            var timed = TimedThing.Case(name: benchCase.name, base: benchCase.base?.name)
            if let index = indices[drawn] {
                timed.fragments = things[index].cases[0].fragments
                timed.pixelsOverTolerance = things[index].cases[0].pixelsOverTolerance
                things[index].cases.append(timed)
                continue
            }
            let image = try renderer.render(plan)
            if reference?.state != benchCase.state { reference = (benchCase.state, image) }
            let recording = try renderer.record(plan)
            for (program, count) in recording.fragments { timed.fragments[program.description] = count }
            timed.pixelsOverTolerance = reference.map { PictureTolerance.pixelsOver($0.image, image) } ?? 0
            indices[drawn] = things.count
            things.append(TimedThing(cases: [timed]) { times in for _ in 0..<times { recording.draw() } })
        }
        return things
    }

    // MARK: - Fragment shaders

    /// Fragment shaders of the user's, each drawn over a whole target and compared with the first one.
    private func shaders(_ plan: FragmentPlan, _ wants: (String) -> Bool) throws -> [TimedThing] {
        let image = BenchPage.picture(width: plan.size.width, height: plan.size.height)
        let shaders = try plan.shaders.map { name, text in
            try FullScreenShader(
                renderer, name: name, text: text, size: plan.size, values: plan.uniforms, image: image)
        }
        let known = Set(shaders.flatMap { $0.uniforms.map(\.name) })
        if let unknown = plan.uniforms.keys.sorted().first(where: { !known.contains($0) }) {
            throw BenchError.unknownUniform(unknown, known: known.sorted())
        }
        func name(_ shader: FullScreenShader) -> String { "\(shader.name)/\(plan.size.caseName)" }
        guard let first = shaders.first, shaders.contains(where: { wants(name($0)) }) else { return [] }
        let picture = try first.picture()
        return try shaders.filter { $0 === first || wants(name($0)) }.map { shader in
            let timed = TimedThing.Case(
                name: name(shader), base: shader === first ? nil : name(first),
                fragments: ["main": plan.size.width * plan.size.height],
                pixelsOverTolerance: PictureTolerance.pixelsOver(picture, try shader.picture()))
            return TimedThing(cases: [timed], draw: shader.draw)
        }
    }
}

extension ImageSize {
    /// The part of a case's name that says a size.
    fileprivate var caseName: String { "\(width)x\(height)" }
}
