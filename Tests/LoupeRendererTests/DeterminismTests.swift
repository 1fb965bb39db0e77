import Dispatch
import Glibc
import LoupeCompare
import LoupeImaging
import LoupeOracle
import LoupeScene
import LoupeSystem
import LoupeTesting
import Synchronization
import TestSupport
import Testing

@testable import LoupeBase
@testable import LoupePlan
@testable import LoupeRenderer

/// The same scene gives the same bytes, whatever was drawn before it, on whichever thread and in whichever process.
@Suite struct DeterminismTests {
    /// The seeds of random scenes; every other scene has shapes. A thousand if the tests try everything.
    private static let seeds = 0..<Sample.count(6, whole: 1000)

    private static func scene(_ seed: Int) -> Scene {
        var generator = SceneGenerator(seed: UInt64(seed) + 50_000)
        return generator.scene(hasShapes: seed % 2 == 1)
    }

    private static func plan(_ seed: Int) -> DrawPlan { DrawPlan(scene(seed), images: Pages.traits) }

    private static func hash(_ image: Image) -> String { PictureHash(of: image).description }

    /// The hash of each picture, as one renderer draws them one after another.
    private static let hashes: [String] = drawn(seeds)

    /// By seed, as a renderer of its own draws them in an order, plans being made when they are needed.
    private static func drawn(_ order: some Sequence<Int>) -> [String] {
        drawn(order.map { seed in (seed, { plan(seed) }) })
    }

    private static func drawn(_ plans: [(seed: Int, plan: () -> DrawPlan)]) -> [String] {
        do {
            let renderer = try GPU.renderer()
            var hashes = [String](repeating: "", count: seeds.count)
            for (seed, plan) in plans { hashes[seed] = hash(try renderer.render(plan())) }
            return hashes
        } catch {
            return ["\(error)"]
        }
    }

    private func expectSame(_ hashes: [String], _ words: String) {
        #expect(hashes.count == Self.hashes.count, "\(hashes.first ?? "")")
        let others = zip(hashes, Self.hashes).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
        let first = others.first.map { SceneEncoder().encode(Self.scene($0)) } ?? ""
        #expect(others.isEmpty, "\(words): scenes \(others), the first of which is \(first)")
    }

    @Test func orderDoesNotShow() {
        expectSame(Self.drawn(Self.seeds.reversed()), "backwards")
        let strided = (0..<7).flatMap { stride(from: $0, to: Self.seeds.count, by: 7) }
        expectSame(Self.drawn(Array(Self.seeds) + strided), "twice by one renderer")
    }

    @Test func threadsDoNotShow() {
        let plans = Mutex([Int: DrawPlan]())
        DispatchQueue.concurrentPerform(iterations: Self.seeds.count) { seed in
            let plan = Self.plan(seed)
            plans.withLock { $0[seed] = plan }
        }
        let made = plans.withLock(\.self)
        let results = Mutex([Int: [String]]())
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            let order = index == 0 ? Array(Self.seeds) : Self.seeds.reversed()
            let hashes = Self.drawn(order.map { seed in (seed, { made[seed]! }) })
            results.withLock { $0[index] = hashes }
        }
        for (index, hashes) in results.withLock(\.self) { expectSame(hashes, "thread \(index)") }
    }

    #if compiler(>=6.2)
        @Test func processDoesNotShow() async {
            let hashes = Self.hashes
            await #expect(processExitsWith: .success) { [hashes = hashes as [String]] in
                #expect(DeterminismTests.drawn(DeterminismTests.seeds.reversed()) == hashes)
            }
        }

        /// The oracle's pictures are references: these must not change from run to run either.
        @Test func processDoesNotShowInTheOraclesPictures() async {
            let hashes = Self.oraclesHashes
            #expect(Self.oraclesHashes == hashes)
            await #expect(processExitsWith: .success) { [hashes = hashes as [String]] in
                #expect(DeterminismTests.oraclesHashes == hashes)
            }
        }
    #endif

    private static var oraclesHashes: [String] {
        stride(from: 0, to: seeds.count, by: seeds.count < 100 ? 4 : 6).map { seed in
            (try? Oracle().render(scene(seed), images: Pages.images)).map(hash) ?? ""
        }
    }

    /// One after another by one process with vectors of 128 bits and no threads of llvmpipe, and with the variants of C's
    /// mathematics functions that do not fuse a multiplication with an addition; or prepared and encoded on seven threads,
    /// with vectors of 256 bits and eight threads. Drivers that do not know the variables ignore them. `tools/check/determinism`
    /// tries them one by one.
    @Test(arguments: [1, 7]) func batchDrawsTheSame(jobs: Int) throws {
        let folder = TemporaryFolder()
        let lines = try Self.seeds.map { seed -> String in
            let scene = Self.scene(seed).renamingImages {
                ImagePath("\(Repository.pages)/\($0.description.split(separator: "/").last ?? "")")
            }
            let json: JSONValue = try [
                "input": JSONValue(parsing: Array(SceneEncoder().encode(scene).utf8)), "output": .string("\(seed).png"),
            ]
            return json.line
        }
        let list = (jobs == 1 ? lines.reversed() : lines).joined(separator: "\n")
        _ = folder.put(Array(list.utf8), "jobs.jsonl")
        let variables =
            jobs == 1
            ? [
                "LP_NATIVE_VECTOR_WIDTH": "128", "LP_NUM_THREADS": "0",
                "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4",
            ] : ["LP_NATIVE_VECTOR_WIDTH": "256", "LP_NUM_THREADS": "8"]
        let outcome = Command(folder: folder).run(
            [
                "batch", "jobs.jsonl", "--quiet", "--allow-outside", "--jobs", "\(jobs)", "--device",
                "\(try Settings.current.get().device)",
            ], environment: variables)
        #expect(outcome.code == 0, "\(outcome.errors)")
        expectSame(
            try Self.seeds.map { Self.hash(try PNG.read(path: Path(folder.file("\($0).png")))) }, "--jobs \(jobs)")
    }
}
