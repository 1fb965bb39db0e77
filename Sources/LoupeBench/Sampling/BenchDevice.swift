import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene

/// The renderers that are timed, on one context.
final class BenchDevice {
    let renderer: Renderer
    /// With somebody's own shaders.
    private let ownRenderer: Renderer?
    private let counter: FragmentCounter
    private let ownCounter: FragmentCounter?
    /// The page that the user gave, if any.
    private let page: Image?
    private var loaded: (size: ImageSize, traits: ImageTraits)?

    init(_ renderer: Renderer, replacements: ShaderReplacements?, page: Image?) throws(BenchError) {
        self.renderer = renderer
        self.page = page
        ownRenderer = try replacements.map { own throws(BenchError) in
            try rendering { () throws(RenderError) in try Renderer(beside: renderer, replacements: own) }
        }
        counter = try rendering { () throws(RenderError) in try FragmentCounter(renderer) }
        ownCounter = try ownRenderer.map { own throws(BenchError) in
            try rendering { () throws(RenderError) in try FragmentCounter(own) }
        }
    }

    var countingMethod: FragmentCounter.Method { counter.method }

    /// Makes the page what the next pictures show.
    func loadPage(_ size: ImageSize) throws(BenchError) -> ImageTraits {
        if let loaded, loaded.size == size { return loaded.traits }
        let image = pageImage(size)
        let traits = ImageTraits(
            size: ImageSize(width: image.width, height: image.height), isOpaque: image.isOpaque)
        for renderer in [renderer, ownRenderer].compactMap(\.self) {
            try rendering { () throws(RenderError) in try renderer.load([BenchPage.path: image]) }
        }
        loaded = (size, traits)
        return traits
    }

    func pageImage(_ size: ImageSize) -> Image {
        page ?? BenchPage.picture(width: size.width, height: size.height)
    }

    func picture(of plan: DrawPlan, variant: Variant) throws(BenchError) -> Image {
        try rendering { () throws(RenderError) in try renderer(of: variant).render(plan) }
    }

    /// For many pictures that differ in their loupes only, while nothing else but these loupes is drawn.
    func sequence(of variant: Variant) -> FrameSequence { FrameSequence(renderer(of: variant)) }

    /// The plan's loupes, ready to be drawn over what was drawn last.
    func record(_ plan: DrawPlan, variant: Variant) throws(BenchError) -> Recording {
        try rendering { () throws(RenderError) in try renderer(of: variant).record(plan) }
    }

    func fragments(of recording: Recording, variant: Variant) throws(BenchError) -> [ProgramName: Int] {
        try rendering { () throws(RenderError) in
            try (variant.isOwn ? ownCounter ?? counter : counter).count(recording)
        }
    }

    private func renderer(of variant: Variant) -> Renderer {
        variant.isOwn ? ownRenderer ?? renderer : renderer
    }
}

/// The renderer's errors as the benchmark's.
func rendering<Value>(_ body: () throws(RenderError) -> Value) throws(BenchError) -> Value {
    do {
        return try body()
    } catch {
        throw .render(error)
    }
}
