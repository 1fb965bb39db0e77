import CLinux
import Glibc
import LoupeBase
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

@testable import LoupePlan
@testable import LoupeRenderer

/// A process that draws on and on holds no more in the end than after its first thousand frames.
@Suite struct SoakTests {
    #if compiler(>=6.2)
        /// In a process of its own, whose memory is nobody else's. Over a hundred thousand frames where `LOUPE_LONG_TESTS` is
        /// set; memory is measured only then, since a short run has yet to reach its level.
        ///
        /// Pieces of 128 KiB and more come from the kernel and go back to it, as they do in every process that has just
        /// started. By itself glibc raises that bound to whatever is freed, up to 32 MiB: then the driver's 1 MiB buffers for
        /// what it sends come from the heap, small pieces settle where one was freed, and the heap grows by the next.
        @Test func framesLeaveNothingBehind() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                mallopt(M_MMAP_THRESHOLD, 128 << 10)
                let isLong = Sample.isWhole
                var soak = try Soak()
                try soak.run(rounds: 1)
                let start = try soak.holdings()
                for stage in 1...(isLong ? 10 : 1) {
                    let rounds = isLong ? 11 : 1
                    try soak.run(rounds: rounds)
                    let now = try soak.holdings()
                    if isLong { print("after \(1 + stage * rounds) rounds: \(start) became \(now)") }
                    #expect(now.objects == start.objects)
                    #expect(now.files == start.files)
                    #expect(now.threads == start.threads)
                    guard isLong else { continue }
                    #expect(now.held <= start.held + start.held / 100)
                    #expect(now.resident <= start.resident + start.resident / 100)
                }
            }
            print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
        }
    #endif
}

/// Frames of a sequence whose loupes move and zoom, with now and then another scene, a stroke more or an image anew.
private struct Soak {
    struct Holdings: CustomStringConvertible {
        let objects: [String: Int]
        let files: Int
        /// Those of the driver; libdispatch's workers come and go with the load.
        let threads: Int
        /// The bytes in memory, whoever has them.
        let resident: Int
        /// Those of them that somebody uses: not what was freed and malloc keeps for what is asked for next. How much that is
        /// depends on how large and small pieces happen to lie.
        let held: Int

        var description: String {
            let objects = objects.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
            return
                "\(held >> 10) KiB held, \(resident >> 10) KiB resident, \(objects), \(files) files, \(threads) threads"
        }
    }

    /// So many frames show one scene, so that a round of all 24 scenes has 960 frames, or 96 in a short run.
    private static let framesOfScene = Sample.count(4, whole: 40)
    private let renderer: Renderer
    /// For pictures that are drawn alone, as a sequence has its renderer to itself.
    private let other: Renderer
    private let sequence: FrameSequence
    private let scenes: [Scene]
    private var pen = SplitMix64(seed: 7)
    private var scene = Scene(canvas: .init(width: 1, height: 1))

    init() throws {
        renderer = try GPU.renderer()
        other = try GPU.renderer()
        sequence = FrameSequence(renderer, framesInUse: 1)
        let some = (0..<300).lazy.map { seed in
            var generator = SceneGenerator(seed: UInt64(seed))
            return generator.scene(hasShapes: seed % 2 == 1)
        }
        // Small ones, so that a hundred thousand frames take minutes.
        scenes = Array(some.filter { $0.canvas.width * $0.canvas.height < 6000 && !$0.loupes.isEmpty }.prefix(24))
        precondition(scenes.count == 24)
    }

    /// Draws every frame of every scene so many times.
    mutating func run(rounds: Int) throws {
        for frame in 0..<rounds * scenes.count * Self.framesOfScene {
            if frame % Self.framesOfScene == 0 {
                scene = scenes[frame / Self.framesOfScene % scenes.count]
                // Each round draws what the one before drew, so that it needs the same programs.
                pen = SplitMix64(seed: 7)
                try drawGuest()
                _ = try other.render(DrawPlan(scene, images: Pages.traits))
            }
            change(frame)
            _ = try sequence.next(DrawPlan(scene, images: Pages.traits))
        }
    }

    private mutating func change(_ frame: Int) {
        for index in scene.loupes.indices {
            scene.loupes[index].center.x += frame % 2 == 0 ? 3.25 : -3
            scene.loupes[index].zoom = 1 + Double((frame * 7) % 480) / 8
        }
        guard frame % 10 == 0, !scene.layers.isEmpty else { return }
        let canvas = scene.canvas
        let points = (0..<2).map { _ in
            Point(
                x: Double.random(in: 0...Double(canvas.width), using: &pen),
                y: Double.random(in: 0...Double(canvas.height), using: &pen))
        }
        scene.layers[0].strokes.append(Stroke(points: points, width: 2, color: .defaultShadow))
    }

    /// An image that comes and goes.
    private func drawGuest() throws {
        let image = Image(width: 64, height: 48, pixels: [UInt8](repeating: 200, count: 64 * 48 * 4))
        try other.load(["guest": image])
        let layer = Layer(content: .image(path: "guest"), rect: Rect(x: 0, y: 0, width: 64, height: 48))
        let guest = Scene(canvas: .init(width: 64, height: 48), layers: [layer], loupes: [])
        _ = try other.render(DrawPlan(guest, images: ["guest": image.traits]))
        other.unload("guest")
    }

    func holdings() throws -> Holdings {
        let pages = String(decoding: TemporaryFolder.bytes(at: "/proc/self/statm") ?? [], as: UTF8.self)
            .split(separator: " ")
        let resident = (Int(pages[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
        let objects = try LiveObjects.count(of: renderer).merging(LiveObjects.count(of: other), uniquingKeysWith: +)
        return Holdings(
            objects: objects, files: entries(of: "/proc/self/fd").count,
            threads: threadNames().filter { !$0.contains("qos") }.count,
            resident: resident, held: resident - Int(mallinfo2().fordblks))
    }

    private func threadNames() -> [String] {
        entries(of: "/proc/self/task").compactMap { thread in
            TemporaryFolder.bytes(at: "/proc/self/task/\(thread)/comm")
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private func entries(of folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
