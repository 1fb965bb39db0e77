import LoupeImaging
import LoupeRenderer
import LoupeScene

/// Runs one group of cases on a device.
struct GroupRunner {
    let device: BenchDevice
    let group: Group

    /// Draws each case once, counts its fragments, and times it beside the others.
    func run(with sampler: inout Sampler, progress: (Double) -> Void) throws(BenchError) -> [CaseResult] {
        let prepared = try prepare()
        var distinct: [DrawnThing: Int] = [:]
        var things: [Sampler.Repeated] = []
        for entry in prepared where distinct[entry.thing] == nil {
            distinct[entry.thing] = things.count
            let recording = entry.recording
            things.append { times in
                for _ in 0..<times { recording.draw() }
            }
        }
        let samples = try sampler.measure(things, progress: progress)
        return prepared.map { entry in
            CaseResult(
                benchCase: entry.benchCase, samples: samples[distinct[entry.thing] ?? 0],
                fragments: entry.fragments, planned: entry.planned,
                pixelsOverTolerance: entry.pixelsOverTolerance)
        }
    }

    /// What decides what a case draws: cases in which it is the same are timed once.
    private struct DrawnThing: Hashable {
        let place: Place
        let isOwn: Bool
        let pieces: [[Piece]]
    }

    private struct Prepared {
        let benchCase: BenchCase
        let thing: DrawnThing
        let recording: Recording
        let fragments: [ProgramName: Int]
        let planned: [ClipState: Int]
        let pixelsOverTolerance: Int
    }

    private func prepare() throws(BenchError) -> [Prepared] {
        let traits = try device.loadPage(group.stage.pageSize)
        var prepared: [Prepared] = []
        var reference: (place: Place, image: Image)?
        for benchCase in group.cases {
            let plan = DrawPlan(
                group.stage.scene(benchCase.place), images: [BenchPage.path: traits], policy: benchCase.variant.policy)
            let image = try device.picture(of: plan, variant: benchCase.variant)
            let base = reference?.place == benchCase.place ? reference?.image : nil
            if base == nil { reference = (benchCase.place, image) }
            let recording = try device.record(plan, variant: benchCase.variant)
            prepared.append(
                Prepared(
                    benchCase: benchCase,
                    thing: DrawnThing(
                        place: benchCase.place, isOwn: benchCase.variant.isOwn, pieces: plan.loupePieces),
                    recording: recording,
                    fragments: try device.fragments(of: recording, variant: benchCase.variant),
                    planned: plan.loupePixels,
                    pixelsOverTolerance: base.map { PictureTolerance.pixelsOver($0, image) } ?? 0))
        }
        return prepared
    }
}

extension DrawPlan {
    fileprivate var loupeLayers: [LayerPlan] {
        views.filter { $0.view.kind != .base }.flatMap(\.layers)
    }

    fileprivate var loupePieces: [[Piece]] { loupeLayers.map(\.pieces) }

    /// How many pixels of the loupes each clip shader is asked to shade.
    fileprivate var loupePixels: [ClipState: Int] {
        let counts = ClipState.allCases.map { state in
            (state, loupeLayers.reduce(0) { $0 + $1.pixelCount(state) })
        }
        return Dictionary(uniqueKeysWithValues: counts)
    }
}
