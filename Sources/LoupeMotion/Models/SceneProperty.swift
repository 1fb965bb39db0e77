import LoupeGeometry
import LoupeJSON
import LoupeScene

/// Numbers of a scene that keyframes can move, by the keys that scenes have for them.
public enum SceneProperty: Hashable, Sendable {
    /// Of the loupe at an index of `Scene.loupes`.
    case loupe(Int, LoupeProperty)
    /// Of the layer at an index of `Scene.layers`.
    case layer(Int, LayerProperty)

    /// As `loupes[0].center`.
    public var path: String {
        switch self {
        case .loupe(let index, let property): "loupes[\(index)].\(property.rawValue)"
        case .layer(let index, let property): "layers[\(index)].\(property.rawValue)"
        }
    }

    /// What the scene has for it; nil where the scene has no such loupe, layer, rim or shadow.
    public func values(in scene: Scene) -> [Double]? {
        switch self {
        case .loupe(let index, let property):
            scene.loupes.indices.contains(index) ? property.values(of: scene.loupes[index]) : nil
        case .layer(let index, let property):
            scene.layers.indices.contains(index) ? property.values(of: scene.layers[index]) : nil
        }
    }

    /// - Precondition: the scene has the property, and `values` are as many as `values(in:)` gives.
    func set(_ values: [Double], in scene: inout Scene) {
        switch self {
        case .loupe(let index, let property): property.set(values, of: &scene.loupes[index])
        case .layer(let index, let property): property.set(values, of: &scene.layers[index])
        }
    }
}

/// Numbers of a loupe. Raw values are paths in the loupe's object.
public enum LoupeProperty: String, Hashable, Sendable, CaseIterable {
    case center, radius, zoom, focus
    case rimWidth = "rim.width"
    case shadowOffset = "shadow.offset"
    case shadowBlur = "shadow.blur"

    func values(of loupe: Loupe) -> [Double]? {
        switch self {
        case .center: [loupe.center.x, loupe.center.y]
        case .radius: [loupe.radius]
        case .zoom: [loupe.zoom]
        case .focus: [loupe.focus.x, loupe.focus.y]
        case .rimWidth: loupe.rim.map { [$0.width] }
        case .shadowOffset: loupe.shadow.map { [$0.offset.dx, $0.offset.dy] }
        case .shadowBlur: loupe.shadow.map { [$0.blur] }
        }
    }

    /// Curves may overshoot, so values are kept to what a scene allows.
    func set(_ values: [Double], of loupe: inout Loupe) {
        switch self {
        case .center: loupe.center = Point(x: values[0], y: values[1])
        case .radius: loupe.radius = values[0].clamped(to: Loupe.radiusRange)
        case .zoom: loupe.zoom = values[0].clamped(to: Loupe.zoomRange)
        case .focus: loupe.focus = Point(x: values[0], y: values[1])
        case .rimWidth: loupe.rim?.width = max(0, values[0])
        case .shadowOffset: loupe.shadow?.offset = Vector(dx: values[0], dy: values[1])
        case .shadowBlur: loupe.shadow?.blur = values[0].clamped(to: Loupe.Shadow.blurRange)
        }
    }
}

/// Numbers of a layer. Raw values are paths in the layer's object.
public enum LayerProperty: String, Hashable, Sendable, CaseIterable {
    case rect
    case cornerRadius = "corner.radius"
    case cornerExponent = "corner.exponent"
    case opacity

    func values(of layer: Layer) -> [Double] {
        switch self {
        case .rect: [layer.rect.x, layer.rect.y, layer.rect.width, layer.rect.height]
        case .cornerRadius: [layer.corner.radius]
        case .cornerExponent: [layer.corner.exponent]
        case .opacity: [layer.opacity]
        }
    }

    /// Curves may overshoot, so values are kept to what a scene allows.
    func set(_ values: [Double], of layer: inout Layer) {
        switch self {
        case .rect:
            let sides = JSONReader.sideRange
            layer.rect = Rect(
                x: values[0], y: values[1], width: values[2].clamped(to: sides), height: values[3].clamped(to: sides))
        case .cornerRadius: layer.corner.radius = max(0, values[0])
        case .cornerExponent: layer.corner.exponent = values[0].clamped(to: Corner.exponentRange)
        case .opacity: layer.opacity = values[0].clamped(to: Layer.opacityRange)
        }
    }
}
