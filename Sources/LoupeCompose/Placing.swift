import LoupeBase
import LoupeScene

/// Finds centres for the loupes that options leave without one: in even areas of the page, or beside it.
struct Placing {
    let request: Request
    let page: ImagePath
    let facts: PageFacts

    /// The loupes in their places.
    func placed() throws(ComposeError) -> LoupesOverPage {
        var loupes = try request.loupes(over: page, facts)
        guard !loupes.unplaced.isEmpty, let contrast = facts.contrast else { return loupes }
        loupes.scene = try scene(of: loupes, contrast)
        loupes.scene = request.styled(loupes, facts)
        return loupes
    }

    private func scene(of loupes: LoupesOverPage, _ contrast: ContrastGrid) throws(ComposeError) -> Scene {
        var policy: PlacePolicy = request.options.choice(.place) ?? .auto
        // A canvas of a given size gets no wider.
        if policy == .auto, request.options.has(.canvas) { policy = .page }
        if policy == .auto, facts.tone.kind != .photograph, let even = onEvenAreas(loupes, contrast) { return even }
        var problem = PlacementError(index: loupes.unplaced[0], of: loupes.scene)
        if policy != .page, let beside = BesidePage(loupes, request, facts).scene { return beside }
        if policy != .beside {
            do throws(PlacementError) {
                return try LoupePlacer(loupes.scene, contrast: contrast).placing(loupes.unplaced)
            } catch { problem = error }
        }
        let other = policy == .beside || request.options.has(.canvas) ? "" : ", or use --place beside"
        throw ComposeError(
            .badInput, "--place \(policy.rawValue): \(problem.description); make the loupes smaller\(other)")
    }

    /// The loupes where each lies over nothing of the page, nor of those that it is compared with; nil where one has no such
    /// place near what it shows, or where more than two would stand in no line.
    private func onEvenAreas(_ loupes: LoupesOverPage, _ contrast: ContrastGrid) -> Scene? {
        let placer = LoupePlacer(loupes.scene, contrast: contrast, isEven: true)
        guard let placement = try? placer.placement(of: loupes.unplaced), !placement.isScattered else { return nil }
        let canvas = placement.scene.canvas
        let isNear = loupes.unplaced.allSatisfy { index in
            let loupe = placement.scene.loupes[index]
            let way = PlacementBody(loupe).distance(to: PlacementBody(sourceOf: loupe, in: placement.scene))
            return 3 * way <= Double(max(canvas.width, canvas.height))
        }
        return isNear ? placement.scene : nil
    }
}
