import LoupeGeometry

/// The same picture on a canvas of another size. Every length and position of a scene is multiplied; magnifications,
/// angles, exponents, opacities and colours stay.
extension Scene {
    /// The scene with every length and position times a factor.
    ///
    /// The canvas is rounded to whole pixels, each side at least 1. Other values may leave the ranges that scenes may have.
    /// - Parameter factor: above 0.
    public func scaled(by factor: Double) -> Scene {
        guard factor != 1 else { return self }
        var scene = self
        scene.canvas.width = max(1, Int((Double(canvas.width) * factor).rounded()))
        scene.canvas.height = max(1, Int((Double(canvas.height) * factor).rounded()))
        scene.layers = layers.map { $0.scaled(by: factor) }
        scene.loupes = loupes.map { $0.scaled(by: factor) }
        scene.pixelSize?.value /= factor
        scene.scaleBars = scaleBars.map { $0.scaled(by: factor) }
        scene.labels = labels.map { $0.scaled(by: factor) }
        return scene
    }
}

extension TextStyle {
    fileprivate func scaled(by factor: Double) -> TextStyle {
        var style = self
        style.size *= factor
        style.halo?.width *= factor
        return style
    }
}

extension Label {
    fileprivate func scaled(by factor: Double) -> Label {
        var label = self
        label.style = style.scaled(by: factor)
        switch anchor {
        case .point(let point, let align): label.anchor = .point(point.scaled(by: factor), align: align)
        case .loupe(let index, let angle, let side, let distance):
            label.anchor = .loupe(index: index, angle: angle, side: side, distance: distance * factor)
        case .ring(let index, let angle, let distance):
            label.anchor = .ring(index: index, angle: angle, distance: distance * factor)
        }
        return label
    }
}

extension ScaleBar {
    fileprivate func scaled(by factor: Double) -> ScaleBar {
        var bar = self
        bar.width *= factor
        bar.inset *= factor
        bar.style = style.scaled(by: factor)
        return bar
    }
}

extension Layer {
    fileprivate func scaled(by factor: Double) -> Layer {
        var layer = self
        layer.rect = rect.scaled(by: factor)
        layer.crop = crop.map { $0.scaled(by: factor) }
        layer.corner.radii = factor * corner.radii
        layer.strokes = strokes.map { stroke in
            var stroke = stroke
            stroke.points = stroke.points.map { $0.scaled(by: factor) }
            stroke.width *= factor
            return stroke
        }
        layer.shadow = shadow.map { $0.scaled(by: factor) }
        return layer
    }
}

extension Loupe {
    fileprivate func scaled(by factor: Double) -> Loupe {
        var loupe = self
        loupe.center = center.scaled(by: factor)
        loupe.focus = focus.scaled(by: factor)
        switch shape {
        case .circle(let radius): loupe.shape = .circle(radius: radius * factor)
        case .rectangle(let rectangle): loupe.shape = .rectangle(rectangle.scaled(by: factor))
        }
        loupe.rim?.width *= factor
        loupe.rim?.casing?.width *= factor
        loupe.split?.divider?.width *= factor
        loupe.grid?.width *= factor
        loupe.mark?.width *= factor
        loupe.callout?.ring?.width *= factor
        loupe.callout?.ring?.casing?.width *= factor
        loupe.callout?.connector?.casing?.width *= factor
        if let connector = callout?.connector, let width = connector.shape.width {
            loupe.callout?.connector?.shape = connector.shape.style.shape(width: width * factor)
        }
        loupe.shadow = shadow.map { $0.scaled(by: factor) }
        return loupe
    }
}

extension Loupe.Shadow {
    /// The same shadow, larger by a factor.
    package func scaled(by factor: Double) -> Loupe.Shadow {
        Loupe.Shadow(offset: factor * offset, blur: factor * blur, color: color, dither: dither)
    }
}

extension Point {
    fileprivate func scaled(by factor: Double) -> Point { Point(x: x * factor, y: y * factor) }
}

extension Rect {
    fileprivate func scaled(by factor: Double) -> Rect {
        Rect(x: x * factor, y: y * factor, width: width * factor, height: height * factor)
    }
}
