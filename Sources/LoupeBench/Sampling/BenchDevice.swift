import Glibc
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene

/// The renderers that are timed, on one context, and the page they show. Errors are the renderer's.
final class BenchDevice {
    let renderer: Renderer
    /// The renderer with the user's shaders; nil if there are none.
    private let ownRenderer: Renderer?
    private let counter: FragmentCounter
    private let ownCounter: FragmentCounter?
    /// The user's page; nil if there is none.
    private let page: Image?
    private var loaded: (size: ImageSize, traits: ImageTraits)?
    private var calibrationShader: FullScreenShader?

    /// - Throws: `ShaderFailure` where a replaced shader does not compile or link.
    init(_ renderer: Renderer, replacements: ShaderReplacements?, page: Image?) throws {
        self.renderer = renderer
        self.page = page
        ownRenderer = try replacements.map { try Renderer(beside: renderer, replacements: $0) }
        try ownRenderer?.checkReplacements()
        counter = try FragmentCounter(renderer)
        ownCounter = try ownRenderer.map { try FragmentCounter($0) }
    }

    var countingMethod: FragmentCounter.Method { counter.method }

    /// Uploads the page in a size in pixels, unless it has been uploaded.
    func loadPage(_ size: ImageSize) throws -> ImageTraits {
        if let loaded, loaded.size == size { return loaded.traits }
        let image = pageImage(size)
        let traits = ImageTraits(size: image.size, isOpaque: image.isOpaque)
        for renderer in [renderer, ownRenderer].compactMap(\.self) {
            try renderer.load([BenchPage.path: image])
        }
        loaded = (size, traits)
        return traits
    }

    /// The user's page, or ``BenchPage``'s in a size in pixels.
    func pageImage(_ size: ImageSize) -> Image {
        page ?? BenchPage.picture(width: size.width, height: size.height)
    }

    /// How many fragments each program shades when the recording is drawn once.
    func fragments(of recording: Recording, variant: Variant) throws -> [ProgramName: Int] {
        try (variant.isOwn ? ownCounter ?? counter : counter).count(recording)
    }

    /// What drawn things are calibrated with: a fixed shader of the benchmark's own, so that it costs the same in every
    /// version of Loupe.
    func calibration() throws -> Sampler.Work {
        let shader =
            try calibrationShader
            ?? FullScreenShader(
                renderer, name: "calibration.frag", text: Calibration.shader(), size: Calibration.size,
                image: BenchPage.picture(width: Calibration.size.width, height: Calibration.size.height))
        calibrationShader = shader
        return .repeated(shader.draw)
    }

    /// What compiling and first draws are calibrated with: the same shader, compiled as if for the first time, and drawn once.
    func compilingCalibration() -> Sampler.Work {
        var nonces = Nonces()
        let size = ImageSize(width: 16, height: 16)
        let image = BenchPage.picture(width: size.width, height: size.height)
        return .single { [renderer] in
            let text = Calibration.shader(nonce: nonces.next())
            return try StepRunner.timed {
                let shader = try FullScreenShader(
                    renderer, name: "calibration.frag", text: text, size: size, image: image)
                shader.draw(times: 1)
                try renderer.finish()
            }
        }
    }

    /// Where the user's shaders draw another picture than the embedded ones: in a small scene of each state, and in scenes of
    /// everything that can be drawn. A sentence for each, with the number of pixels over the tolerance.
    func differingPictures() throws -> [String] {
        guard let ownRenderer else { return [] }
        defer { loaded = nil }
        return try Self.differingPictures(renderer, ownRenderer)
    }

    static func differingPictures(_ renderer: Renderer, _ ownRenderer: Renderer) throws -> [String] {
        var found: [String] = []
        for filter in [Filter.linear, .lanczos] {
            let setting = Setting(radius: 90, zoom: 4, filter: filter)
            guard let stage = Stage(setting, canvas: ImageSize(width: 520, height: 480)) else { continue }
            let image = BenchPage.picture(width: stage.pageSize.width, height: stage.pageSize.height)
            for renderer in [renderer, ownRenderer] { try renderer.load([BenchPage.path: image]) }
            let images = [BenchPage.path: ImageTraits(size: image.size, isOpaque: true)]
            let scenes =
                ClipState.allCases.map { ($0.rawValue, stage.scene(.state($0))) }
                + Blending.allCases.map { ("everything, blended in \($0.rawValue)", stage.everything($0)) }
            for (name, scene) in scenes {
                let plan = DrawPlan(scene, images: images)
                let pixels = PictureTolerance.pixelsOver(try renderer.render(plan), try ownRenderer.render(plan))
                if pixels > 0 {
                    found.append("\(name), \(setting.name): \(pixels.grouped) pixels over the tolerance")
                }
            }
        }
        return found
    }

    /// The renderer with the embedded shaders, or with the user's.
    func renderer(of variant: Variant) -> Renderer {
        variant.isOwn ? ownRenderer ?? renderer : renderer
    }
}

/// Work that costs the same in every version of Loupe. Times of different runs are compared as multiples of its floor, so that
/// a machine that was slower meanwhile does not count. Each kind of work has a calibration of its kind: what slows a
/// compiler down, such as another program on the same core, may leave arithmetic alone.
enum Calibration {
    /// Saved runs of another version can't be compared. To be counted up when anything here changes.
    static let version = 2.0

    /// The name of the calibration of a group of cases.
    static func name(of group: String) -> String { "calibration/\(group)" }

    /// Whether a name is that of a calibration.
    static func isName(_ name: String) -> Bool { name.hasPrefix("calibration/") }

    /// The size of the target and of the texture that it reads, in pixels.
    static let size = ImageSize(width: 512, height: 512)

    /// Four texels, mixed, and some arithmetic, as in the clip shaders.
    /// - Parameter nonce: a number that no text had before, so that no cache of the driver answers.
    static func shader(nonce: Int = 0) -> String {
        """
        #version 300 es
        #define COMPILED_AFRESH \(nonce)
        precision highp float;
        precision highp int;
        uniform sampler2D image;
        layout(location = 0) out vec4 color;
        void main() {
            vec2 position = gl_FragCoord.xy * 0.37 + 3.25;
            ivec2 low = ivec2(position) & 255;
            vec2 mixture = fract(position);
            vec4 top = mix(texelFetch(image, low, 0), texelFetch(image, low + ivec2(1, 0), 0), mixture.x);
            vec4 bottom = mix(texelFetch(image, low + ivec2(0, 1), 0), texelFetch(image, low + 1, 0), mixture.x);
            vec4 mixed = mix(top, bottom, mixture.y);
            float edge = clamp(dot(position - 64.0, normalize(vec2(3.0, 4.0))) * 0.01 + 0.5, 0.0, 1.0);
            color = mixed * mix(edge, sqrt(edge), 0.5);
        }

        """
    }

    /// The same for steps that copy pictures: 16 MiB into new memory.
    static var memoryWork: Sampler.Work {
        let bytes = [UInt8](repeating: 7, count: 1 << 24)
        return processor {
            let copy = [UInt8](unsafeUninitializedCapacity: bytes.count) { target, count in
                bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(target).copyMemory(from: $0) }
                count = bytes.count
            }
            precondition(copy[copy.count / 2] == 7)
        }
    }

    /// The same for steps that the processor does: numbers are sorted, which takes some 10 ms.
    static var processorWork: Sampler.Work {
        var random = SplitMix64(seed: 7)
        let numbers = (0..<200_000).map { _ in random.next() }
        return processor {
            let sorted = numbers.sorted()
            precondition(sorted.count == numbers.count)
        }
    }

    private static func processor(_ body: @escaping () -> Void) -> Sampler.Work {
        .single { StepRunner.batch { StepRunner.timed(body) } }
    }
}

/// Numbers that no run uses twice, nor any other: drivers keep compiled shaders on disk.
struct Nonces {
    private var last = Int(time(nil) % 1_000_000) * 1000 + Int(getpid() % 1000)

    mutating func next() -> Int {
        last += 1_000_003
        return last % 2_000_000_011
    }
}

/// Whether two pictures are equal within the tolerance (specification, section 9): no pixel differs by more than 2 of 255,
/// and at most 0.1 % of the pixels differ by more than 1.
enum PictureTolerance {
    /// How many pixels are over the tolerance; 0 if the pictures are equal within it.
    static func pixelsOver(_ a: Image, _ b: Image) -> Int {
        guard a.width == b.width, a.height == b.height else { return max(a.width * a.height, b.width * b.height) }
        var (overOne, overTwo) = (0, 0)
        a.pixels.withUnsafeBytes { a in
            b.pixels.withUnsafeBytes { b in
                // Whole pixels are compared first, as nearly all are equal.
                for (index, (one, other)) in zip(a.bindMemory(to: UInt32.self), b.bindMemory(to: UInt32.self))
                    .enumerated()
                where one != other {
                    let most = (4 * index..<4 * index + 4).reduce(0) { max($0, abs(Int(a[$1]) - Int(b[$1]))) }
                    if most > 1 { overOne += 1 }
                    if most > 2 { overTwo += 1 }
                }
            }
        }
        if overTwo > 0 { return overTwo }
        return overOne * 1000 > a.width * a.height ? overOne : 0
    }
}
