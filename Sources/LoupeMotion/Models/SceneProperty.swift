import LoupeGeometry
import LoupeJSON
import LoupeScene

/// A property of a scene that keyframes can move, one or several numbers; named by its JSON key.
public enum SceneProperty: Hashable, Sendable {
    /// A property of the loupe with this index in `Scene.loupes`.
    case loupe(Int, LoupeProperty)
    /// A property of the layer with this index in `Scene.layers`.
    case layer(Int, LayerProperty)

    /// The path in the scene's document, such as `loupes[0].center`.
    public var path: String {
        switch self {
        case .loupe(let index, let property): "loupes[\(index)].\(property.rawValue)"
        case .layer(let index, let property): "layers[\(index)].\(property.rawValue)"
        }
    }

    /// The values in a scene; nil if the scene has no such loupe, layer, rim or shadow.
    public func values(in scene: Scene) -> [Double]? {
        switch self {
        case .loupe(let index, let property):
            scene.loupes.indices.contains(index) ? property.values(of: scene.loupes[index]) : nil
        case .layer(let index, let property):
            scene.layers.indices.contains(index) ? property.values(of: scene.layers[index]) : nil
        }
    }

    /// Sets the values in a scene.
    /// - Precondition: the scene has the property, and `values` are as many as `values(in:)` returns.
    func set(_ values: [Double], in scene: inout Scene) {
        switch self {
        case .loupe(let index, let property): property.set(values, of: &scene.loupes[index])
        case .layer(let index, let property): property.set(values, of: &scene.layers[index])
        }
    }
}

/// A property of a loupe. The raw value is the path in the loupe's JSON object.
public enum LoupeProperty: String, Hashable, Sendable, CaseIterable {
    /// The centre, x and y in canvas pixels.
    case center
    /// In canvas pixels.
    case radius
    /// The magnification.
    case zoom
    /// The focus, x and y in canvas pixels.
    case focus
    /// The width of the rim, in canvas pixels.
    case rimWidth = "rim.width"
    /// The offset of the shadow, dx and dy in canvas pixels.
    case shadowOffset = "shadow.offset"
    /// The blur of the shadow, in canvas pixels.
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

    /// Sets the values, clamped to what a scene allows, because curves may overshoot.
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

/// A property of a layer. The raw value is the path in the layer's JSON object.
public enum LayerProperty: String, Hashable, Sendable, CaseIterable {
    /// The rectangle: x, y, width and height in canvas pixels.
    case rect
    /// The radius of the corners, in canvas pixels.
    case cornerRadius = "corner.radius"
    /// The exponent of the corners' superellipse.
    case cornerExponent = "corner.exponent"
    /// The opacity, 0…1.
    case opacity

    func values(of layer: Layer) -> [Double] {
        switch self {
        case .rect: [layer.rect.x, layer.rect.y, layer.rect.width, layer.rect.height]
        case .cornerRadius: [layer.corner.radius]
        case .cornerExponent: [layer.corner.exponent]
        case .opacity: [layer.opacity]
        }
    }

    /// Sets the values, clamped to what a scene allows, because curves may overshoot.
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
