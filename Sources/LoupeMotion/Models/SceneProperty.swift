import LoupeBase
import LoupeScene

/// A property of a scene that keyframes can move, one or several numbers.
package struct SceneProperty: Hashable, Sendable {
    /// The owner of a property.
    enum Owner: Hashable, Sendable {
        /// The loupe with this index in `Scene.loupes`.
        case loupe(Int)
        /// The layer with this index in `Scene.layers`.
        case layer(Int)
    }

    /// What has the property.
    let owner: Owner
    /// The path in the owner's JSON object, such as `shadow.offset`.
    package let key: String

    init(owner: Owner, key: String) { (self.owner, self.key) = (owner, key) }

    /// A property of a loupe: `center`, `radius`, `zoom`, `focus`, `rim.width`, `shadow.offset`,
    /// `shadow.blur` or `opacity`.
    package static func loupe(_ index: Int, _ key: String) -> SceneProperty {
        SceneProperty(owner: .loupe(index), key: key)
    }

    /// A property of a layer: `rect`, `corner.radius`, `corner.exponent` or `opacity`.
    package static func layer(_ index: Int, _ key: String) -> SceneProperty {
        SceneProperty(owner: .layer(index), key: key)
    }

    static let ofLoupes = SceneFields.loupe.movable
    static let ofLayers = SceneFields.layer.movable

    /// The property at a path as `path` writes it; nil for a path of another form.
    init?(path: String) {
        let parts = path.split(maxSplits: 2, omittingEmptySubsequences: false) { $0 == "[" || $0 == "]" }
        guard parts.count == 3, let index = Int(parts[1]), parts[2].first == "." else { return nil }
        switch parts[0] {
        case "loupes": owner = .loupe(index)
        case "layers": owner = .layer(index)
        default: return nil
        }
        key = String(parts[2].dropFirst())
    }

    /// The path in the scene's document, such as `loupes[0].center`.
    package var path: String {
        switch owner {
        case .loupe(let index): "loupes[\(index)].\(key)"
        case .layer(let index): "layers[\(index)].\(key)"
        }
    }

    /// The values in a scene; nil if the scene has no such loupe, layer, rim or shadow.
    package func values(in scene: Scene) -> [Double]? {
        switch owner {
        case .loupe(let index):
            scene.loupes.indices.contains(index) ? Self.ofLoupes.values(key, of: scene.loupes[index]) : nil
        case .layer(let index):
            scene.layers.indices.contains(index) ? Self.ofLayers.values(key, of: scene.layers[index]) : nil
        }
    }

    /// The ranges of its numbers, none for a path that no field has, and whether it is measured in canvas pixels.
    var limits: (ranges: [ClosedRange<Double>], isLength: Bool) {
        func limits<Owner>(_ fields: [MovableField<Owner>]) -> (ranges: [ClosedRange<Double>], isLength: Bool) {
            let field = fields.first { $0.path == key }
            return (field?.numbers.map { $0.range } ?? [], field?.isLength ?? true)
        }
        return if case .loupe = owner { limits(Self.ofLoupes) } else { limits(Self.ofLayers) }
    }

    /// Whether it is a place on the canvas.
    var isPosition: Bool { ["center", "focus", "rect"].contains(key) }

    /// The numbers of a scene's loupes and layers by their paths, such as `loupes[0].center.x`.
    static func columns(of scene: Scene) -> [(name: String, value: Double)] {
        let ofScene =
            scene.loupes.indices.flatMap { index in ofLoupes.map { SceneProperty.loupe(index, $0.path) } }
            + scene.layers.indices.flatMap { index in ofLayers.map { SceneProperty.layer(index, $0.path) } }
        return ofScene.flatMap { property -> [(name: String, value: Double)] in
            let values = property.values(in: scene) ?? []
            return zip(property.columns(values.count), values).map { ($0, $1) }
        }
    }

    /// The columns of so many numbers, such as `loupes[0].center.x`.
    func columns(_ count: Int) -> [String] { CSV.sides(count)?.map { "\(path).\($0)" } ?? [path] }

    /// Sets the values in a scene, clamped to what it allows, because curves may overshoot.
    /// - Precondition: the scene has the property, and `values` are as many as `values(in:)` returns.
    func set(_ values: [Double], in scene: inout Scene) {
        switch owner {
        case .loupe(let index): Self.ofLoupes.set(key, values, of: &scene.loupes[index])
        case .layer(let index): Self.ofLayers.set(key, values, of: &scene.layers[index])
        }
    }
}

extension Scene {
    /// The indices of the loupes whose focus is their centre, and stays there unless it is moved itself.
    func centeredLoupes(except moved: some Collection<SceneProperty>) -> [Int] {
        loupes.indices.filter { loupes[$0].focus == loupes[$0].center && !moved.contains(.loupe($0, "focus")) }
    }

    /// Sets the focus of loupes to their centre.
    mutating func keepFocus(of indices: [Int]) {
        for index in indices {
            let center = loupes[index].center
            loupes[index].focus = center
        }
    }
}

extension Array {
    fileprivate func values<Owner>(_ key: String, of owner: Owner) -> [Double]? where Element == MovableField<Owner> {
        first { $0.path == key }?.get(owner)
    }

    fileprivate func set<Owner>(_ key: String, _ values: [Double], of owner: inout Owner)
    where Element == MovableField<Owner> {
        guard let field = first(where: { $0.path == key }) else { return }
        field.set(&owner, zip(values, field.numbers).map { $0.clamped(to: $1.range) })
    }
}
