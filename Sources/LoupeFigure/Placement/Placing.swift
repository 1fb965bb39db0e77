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
        if policy != .page, let beside = BesidePage.scene(of: loupes, request, facts) { return beside }
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
    /// place near what it shows, where more than two would stand in no line, or where discs would stand among rectangles.
    private func onEvenAreas(_ loupes: LoupesOverPage, _ contrast: ContrastGrid) -> Scene? {
        guard loupes.regions.isEmpty || loupes.discs.isEmpty else { return nil }
        let placer = LoupePlacer(loupes.scene, contrast: contrast, isEven: true)
        guard let placement = try? placer.placement(of: loupes.unplaced), !placement.isScattered else { return nil }
        var scene = placement.scene
        if request.hasLetters(loupes) { Self.order(loupes.unplaced, in: &scene) }
        let longer = Double(max(scene.canvas.width, scene.canvas.height))
        let isNear = loupes.unplaced.allSatisfy { index in
            let loupe = scene.loupes[index]
            return 3 * PlacementBody(loupe).distance(to: PlacementBody(sourceOf: loupe, in: scene)) <= longer
        }
        // What marks what a loupe shows is whole.
        let isMarked = scene.loupes.allSatisfy { loupe in
            loupe.callout?.ring == nil
                || scene.canvas.rect.contains(PlacementBody(sourceOf: loupe, in: scene).bounds)
        }
        return isNear && isMarked ? scene : nil
    }

    /// Exchanges the places of loupes of one size, so that they are read row by row in the order in which they were asked for.
    private static func order(_ indices: [Int], in scene: inout Scene) {
        let shapes = indices.map { scene.loupes[$0].shape }
        guard shapes.allSatisfy({ $0 == shapes[0] }) else { return }
        let reach = scene.loupes[indices[0]].halfSides.dy
        var rows: [[Point]] = []
        for center in indices.map({ scene.loupes[$0].center }).sorted(by: { ($0.y, $0.x) < ($1.y, $1.x) }) {
            if let row = rows.last, center.y - row[0].y < reach {
                rows[rows.count - 1].append(center)
            } else {
                rows.append([center])
            }
        }
        let centers = rows.flatMap { $0.sorted { $0.x < $1.x } }
        for (index, center) in zip(indices, centers) { scene.loupes[index].center = center }
    }
}
