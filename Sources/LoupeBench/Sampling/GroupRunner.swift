import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene

/// Runs one group of cases on a device.
struct GroupRunner {
    let device: BenchDevice
    let group: CaseGroup

    /// Draws each case once, counts its fragments, and times it beside the others.
    /// - Throws: `BenchError.alwaysDisjoint`, or a renderer's error.
    func run(with sampler: inout Sampler, progress: (Double) -> Void) throws -> [BenchEntry] {
        let prepared = try prepare()
        let (distinct, things) = works(prepared)
        let indices = Dictionary(uniqueKeysWithValues: zip(prepared.map(\.benchCase), prepared.indices))
        let bases = prepared.map { $0.benchCase.bases.compactMap { indices[$0] } }
        // The base of many comparisons is timed more often.
        var batches = [Int](repeating: 1, count: things.count)
        for (base, uses) in Dictionary(grouping: bases.joined(), by: { $0 }) {
            batches[distinct[prepared[base].thing] ?? 0] += uses.count / Self.usesPerBatch
        }
        let samples = try sampler.measure(things, batches: batches, progress: progress)
        let taken = prepared.map { samples[distinct[$0.thing] ?? 0] }
        return prepared.indices.map { index in
            entry(prepared[index], taken[index], bases[index].map { compare(taken, index, $0, prepared) })
        }
    }

    /// The group's cases as things to be timed beside another build's: each drawing once, with the names of its cases.
    func things() throws -> [NamedWork] {
        let prepared = try prepare()
        let (distinct, works) = works(prepared)
        return works.enumerated().map { index, work in
            NamedWork(names: prepared.filter { distinct[$0.thing] == index }.map(\.benchCase.name), work: work)
        }
    }

    private func works(_ prepared: [Prepared]) -> (indices: [DrawnThing: Int], works: [Sampler.Work]) {
        var distinct: [DrawnThing: Int] = [:]
        var things: [Sampler.Work] = []
        for entry in prepared where distinct[entry.thing] == nil {
            distinct[entry.thing] = things.count
            let recording = entry.recording
            things.append(
                .repeated { times in
                    for _ in 0..<times { recording.draw() }
                })
        }
        return (distinct, things)
    }

    /// So many comparisons with a base add one batch of it to each block.
    private static let usesPerBatch = 8

    private func entry(
        _ prepared: Prepared, _ samples: Samples, _ comparisons: [BenchEntry.Comparison]
    ) -> BenchEntry {
        BenchEntry(
            name: prepared.benchCase.name, iterations: samples.iterations, times: samples.times,
            processorTime: samples.processorTimes.median,
            fragments: Dictionary(
                uniqueKeysWithValues: prepared.fragments.map { ($0.key.description, $0.value) }),
            pixelsOverTolerance: prepared.pixelsOverTolerance, comparisons: comparisons,
            benchCase: prepared.benchCase, state: prepared.state)
    }

    private func compare(
        _ samples: [Samples], _ index: Int, _ base: Int, _ prepared: [Prepared]
    ) -> BenchEntry.Comparison {
        let ratio = Ratio(paired: samples[index].steadyTimes, to: samples[base].steadyTimes)
        // At another place the picture is another one anyway.
        let isSamePlace = prepared[index].benchCase.place == prepared[base].benchCase.place
        let isComparable = !isSamePlace || prepared[index].pixelsOverTolerance == 0
        return BenchEntry.Comparison(
            base: prepared[base].benchCase.name, ratio: ratio, verdict: isComparable ? SpeedVerdict(ratio) : nil)
    }

    /// Everything that determines what a case draws. Cases that draw the same are timed once.
    private struct DrawnThing: Hashable {
        let place: Place
        let isOwn: Bool
        let pieces: [[Piece]]
    }

    /// A case that is ready to be timed.
    private struct Prepared {
        var benchCase: BenchCase
        let thing: DrawnThing
        let recording: Recording
        let state: ClipState?
        let fragments: [ProgramName: Int]
        let pixelsOverTolerance: Int
    }

    /// Draws each case, equal drawings only once, and compares its picture with the first one at the same place.
    private func prepare() throws -> [Prepared] {
        let traits = try device.loadPage(group.stage.pageSize)
        var prepared: [Prepared] = []
        var made: [DrawnThing: Prepared] = [:]
        var sequences: [Bool: FrameSequence] = [:]
        var reference: (place: Place, image: Image)?
        for benchCase in group.cases {
            let plan = DrawPlan(
                group.stage.scene(benchCase.place), images: [BenchPage.path: traits], policy: benchCase.variant.policy)
            let thing = DrawnThing(
                place: benchCase.place, isOwn: benchCase.variant.isOwn, pieces: plan.loupePieces)
            if var twin = made[thing] {
                twin.benchCase = benchCase
                prepared.append(twin)
                continue
            }
            let renderer = device.renderer(of: benchCase.variant)
            let sequence = sequences[benchCase.variant.isOwn] ?? FrameSequence(renderer)
            sequences[benchCase.variant.isOwn] = sequence
            let image = try sequence.next(plan).image
            if reference?.place != benchCase.place { reference = (benchCase.place, image) }
            let recording = try renderer.record(plan)
            let entry = Prepared(
                benchCase: benchCase, thing: thing, recording: recording,
                state: plan.views.last?.layers.first?.state,
                fragments: try device.fragments(of: recording, variant: benchCase.variant),
                pixelsOverTolerance: reference.map { PictureTolerance.pixelsOver($0.image, image) } ?? 0)
            made[thing] = entry
            prepared.append(entry)
        }
        return prepared
    }
}

extension DrawPlan {
    fileprivate var loupePieces: [[Piece]] {
        views.filter { $0.view.kind != .base }.flatMap(\.layers).map(\.pieces)
    }
}
