import LoupeDiff
import LoupeGeometry
import LoupeScene

/// Something about a scene that a picture may show otherwise: a few numbers, or a part that is missing.
struct SceneAlteration: Sendable {
    /// Tells alterations of one part of a scene from each other.
    let name: String
    /// How much of each number is tried first; empty for a part that is missing.
    let steps: [Double]
    /// The smallest amount that is worth a sentence.
    let least: Double
    /// Whether it takes away what other alterations would change.
    let isAlone: Bool
    /// Alters a scene by these amounts.
    let apply: @Sendable (inout Scene, [Double]) -> Void
    /// The sentence for these amounts.
    let change: @Sendable ([Double]) -> PictureChange

    init(
        _ name: String, _ steps: [Double], least: Double = 0.04, isAlone: Bool = false,
        apply: @escaping @Sendable (inout Scene, [Double]) -> Void,
        change: @escaping @Sendable ([Double]) -> PictureChange
    ) {
        (self.name, self.steps, self.least, self.isAlone) = (name, steps, least, isAlone)
        (self.apply, self.change) = (apply, change)
    }

    /// Whether a part is there or not, and there is no amount.
    var isWhole: Bool { steps.isEmpty }

    /// The amounts that alter nothing.
    var nothing: [Double] { [Double](repeating: 0, count: steps.count) }

    /// The amounts for so many steps of each number.
    func amounts(_ weights: [Double]) -> [Double] { zip(steps, weights).map { $0 * $1 } }

    /// Whether amounts are as small as a fit of small changes can find.
    func isNear(_ amounts: [Double]) -> Bool { zip(amounts, steps).allSatisfy { abs($0) <= 16 * abs($1) } }
}

// MARK: - Loupes

extension SceneAlteration {
    /// What may be wrong with a loupe.
    static func ofLoupe(_ index: Int, in scene: Scene) -> [SceneAlteration] {
        let loupe = scene.loupes[index]
        func altered(
            _ name: String, _ steps: [Double], least: Double = 0.04,
            _ edit: @escaping @Sendable (inout Loupe, [Double]) -> Void,
            _ change: @escaping @Sendable ([Double]) -> PictureChange
        ) -> SceneAlteration {
            SceneAlteration(name, steps, least: least, apply: { edit(&$0.loupes[index], $1) }, change: change)
        }
        func missing(
            _ part: PictureChange.LoupePart, _ edit: @escaping @Sendable (inout Loupe) -> Void
        ) -> SceneAlteration {
            altered("no \(part)", [], { loupe, _ in edit(&loupe) }, { _ in .loupeMissing(part, loupe: index) })
        }
        var found = [
            SceneAlteration(
                "no loupe", [], isAlone: true, apply: { scene, _ in scene.loupes.remove(at: index) },
                change: { _ in .loupeMissing(.loupe, loupe: index) }),
            altered("radius", [0.25], { $0.grow(by: $1[0]) }, { .loupeSize(.rim, loupe: index, pixels: $0[0]) }),
            altered(
                "center", [0.25, 0.25], { $0.center = $0.center + Vector(dx: $1[0], dy: $1[1]) },
                { .loupeMoved(.loupe, loupe: index, x: $0[0], y: $0[1]) }),
            altered(
                "focus", [0.25, 0.25],
                { $0.focus = $0.focus + Vector(dx: -$1[0] / $0.zoom, dy: -$1[1] / $0.zoom) },
                { .loupeMoved(.content, loupe: index, x: $0[0], y: $0[1]) }),
            altered(
                "zoom", [0.005 * loupe.zoom], least: 0.002 * loupe.zoom, { $0.zoom = max($0.zoom + $1[0], 1) },
                { .loupeZoom(loupe: index, drawn: loupe.zoom + $0[0], stated: loupe.zoom) }),
        ]
        if let rim = loupe.rim {
            found += rimAlterations(rim, index, altered, missing)
        }
        if loupe.shadow != nil {
            found += [
                altered(
                    "blur", [0.5], least: 0.1, { $0.shadow?.soften(by: $1[0]) },
                    { .loupeSize(.shadow, loupe: index, pixels: $0[0]) }),
                altered(
                    "offset", [0.5, 0.5], least: 0.1,
                    { loupe, amounts in
                        guard let offset = loupe.shadow?.offset else { return }
                        loupe.shadow?.offset = offset + Vector(dx: amounts[0], dy: amounts[1])
                    }, { .loupeMoved(.shadow, loupe: index, x: $0[0], y: $0[1]) }),
                missing(.shadow) { $0.shadow = nil },
            ]
        }
        return found
    }

    private static func rimAlterations(
        _ rim: Loupe.Rim, _ index: Int,
        _ altered: (
            String, [Double], Double, @escaping @Sendable (inout Loupe, [Double]) -> Void,
            @escaping @Sendable ([Double]) -> PictureChange
        ) -> SceneAlteration,
        _ missing: (PictureChange.LoupePart, @escaping @Sendable (inout Loupe) -> Void) -> SceneAlteration
    ) -> [SceneAlteration] {
        var found = [
            altered(
                "rim width", [0.25], 0.04, { $0.rim?.widen(by: $1[0]) },
                { .loupeSize(.rimWidth, loupe: index, pixels: $0[0]) }),
            // The inner edge stays where it is.
            altered(
                "rim edge", [0.25], 0.04,
                {
                    $0.grow(by: $1[0])
                    $0.rim?.widen(by: $1[0])
                }, { .loupeSize(.rimEdge, loupe: index, pixels: $0[0]) }),
            altered(
                "rim colour", rim.color.steps, 1, { $0.rim?.color = rim.color.moved(by: $1) },
                { .loupeColor(.rim, loupe: index, drawn: rim.color.moved(by: $0).bytes, stated: rim.color.bytes) }),
            missing(.rim) { $0.rim = nil },
        ]
        if rim.casing != nil { found.append(missing(.hairline) { $0.rim?.casing = nil }) }
        return found
    }
}

extension Loupe {
    /// Moves the border outward, by the same distance everywhere.
    fileprivate mutating func grow(by distance: Double) {
        switch shape {
        case .circle(let radius): shape = .circle(radius: max(radius + distance, 1))
        case .rectangle(let old):
            shape = .rectangle(
                Rectangle(
                    width: max(old.width + 2 * distance, 2), height: max(old.height + 2 * distance, 2),
                    corner: old.corner.grown(by: distance)))
        }
    }
}

extension Loupe.Rim {
    fileprivate mutating func widen(by distance: Double) { width = max(width + distance, 0) }
}

extension Loupe.Shadow {
    fileprivate mutating func soften(by distance: Double) { blur = max(blur + distance, 0) }
}

extension Corner {
    /// The corner of an outline that lies so much further out.
    fileprivate func grown(by distance: Double) -> Corner {
        Corner(
            radii: CornerRadii { position in
                let radius = radii[position]
                return radius.x > 0 && radius.y > 0
                    ? CornerRadius(x: max(radius.x + distance, 0), y: max(radius.y + distance, 0)) : radius
            }, exponent: exponent)
    }
}

extension Color {
    /// A step of each channel that stays within its range.
    fileprivate var steps: [Double] { [red, green, blue].map { $0 < 128 ? 8 : -8 } }

    /// The colour with red, green and blue higher by these steps.
    fileprivate func moved(by steps: [Double]) -> Color {
        func moved(_ channel: UInt8, _ step: Double) -> UInt8 {
            UInt8(min(max(Double(channel) + step, 0), 255).rounded())
        }
        return Color(
            red: moved(red, steps[0]), green: moved(green, steps[1]), blue: moved(blue, steps[2]), alpha: alpha)
    }

    fileprivate var bytes: [UInt8] { [red, green, blue, alpha] }
}

// MARK: - Layers

extension SceneAlteration {
    /// Layers that are tried; more would take long.
    private static let mostLayers = 6

    /// What may be wrong with layers and their ink.
    static func ofLayers(in scene: Scene) -> [SceneAlteration] {
        scene.layers.indices.prefix(mostLayers).flatMap { ofLayer($0, scene.layers[$0]) }
    }

    private static func ofLayer(_ index: Int, _ layer: Layer) -> [SceneAlteration] {
        func altered(
            _ name: String, _ steps: [Double], least: Double = 0.04,
            _ edit: @escaping @Sendable (inout Layer, [Double]) -> Void,
            _ change: @escaping @Sendable ([Double]) -> PictureChange
        ) -> SceneAlteration {
            SceneAlteration(
                "\(name) of \(index)", steps, least: least, apply: { edit(&$0.layers[index], $1) }, change: change)
        }
        var found = [
            altered(
                "place", [0.25, 0.25], { $0.move(by: $1) },
                {
                    .layerMoved(.layer, layer: index, x: $0[0], y: $0[1])
                }),
            altered("edge", [0.25], { $0.growEdge(by: $1[0]) }, { .layerEdge(layer: index, pixels: $0[0]) }),
            altered(
                "opacity", [layer.opacity > 0.5 ? -0.02 : 0.02], least: 0.004,
                { $0.opacity = min(max($0.opacity + $1[0], 0), 1) },
                { .layerOpacity(layer: index, drawn: min(layer.opacity + $0[0], 1), stated: layer.opacity) }),
            SceneAlteration(
                "no layer \(index)", [], isAlone: true, apply: { scene, _ in scene.layers.remove(at: index) },
                change: { _ in .layerMissing(.layer, layer: index) }),
        ]
        if layer.corner.radii.largest > 0 {
            found.append(
                altered(
                    "corner", [0.5], least: 0.1, { $0.corner = $0.corner.grown(by: $1[0]).fitted(to: $0.bounds) },
                    { .layerCorners(layer: index, pixels: $0[0]) }))
        }
        if !layer.strokes.isEmpty {
            found += [
                altered("no ink", [], { layer, _ in layer.strokes = [] }, { _ in .layerMissing(.ink, layer: index) }),
                altered(
                    "ink", [0.25, 0.25], { $0.moveInk(by: $1) },
                    { .layerMoved(.ink, layer: index, x: $0[0], y: $0[1]) }),
                altered(
                    "page", [0.25, 0.25],
                    {
                        $0.move(by: $1)
                        $0.moveInk(by: $1.map { -$0 })
                    }, { .layerMoved(.page, layer: index, x: $0[0], y: $0[1]) }),
            ]
        }
        return found
    }
}

extension Layer {
    /// Moves the layer with its crop and its ink.
    fileprivate mutating func move(by amounts: [Double]) {
        let way = Vector(dx: amounts[0], dy: amounts[1])
        rect.x += way.dx
        rect.y += way.dy
        crop?.x += way.dx
        crop?.y += way.dy
        moveInk(by: amounts)
    }

    fileprivate mutating func moveInk(by amounts: [Double]) {
        let way = Vector(dx: amounts[0], dy: amounts[1])
        for stroke in strokes.indices { strokes[stroke].points = strokes[stroke].points.map { $0 + way } }
    }

    /// Moves the outline outward; what it shows stays where it is.
    fileprivate mutating func growEdge(by distance: Double) {
        let grown = bounds.inset(by: -distance)
        guard grown.width > 1, grown.height > 1 else { return }
        crop = grown
        corner = corner.grown(by: distance).fitted(to: grown)
    }
}
