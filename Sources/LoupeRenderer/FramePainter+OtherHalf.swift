import LoupeGLES
import LoupeGeometry
import LoupePlan
import LoupeScene
import LoupeShaders

/// Split loupes.
extension FramePainter {
    /// The other half of a loupe in a target of its own, to be drawn before the first one; nil where it is not split.
    func otherHalf(of loupe: Loupe, _ view: ViewPlan, over canvas: Target) throws(GLError) -> Target? {
        guard case .loupe(let index) = view.view.kind, let other = plan.otherHalves[index] else { return nil }
        let bounds = view.region.bounds
        let content = try loupeTarget(.otherHalf, bounds)
        let isTransparent = loupe.outside == .transparent
        if isTransparent { try copy(canvas, .block, within: bounds, to: content) }
        try paintContent(
            other, ink: try ink(of: other), .block, over: isTransparent ? nil : background, onto: content)
        return content
    }

    /// Lays the other half, with the divider, over the first one.
    func paint(
        _ other: Target, of loupe: Loupe, _ view: ViewPlan, _ region: MeshRegion, onto canvas: Target
    ) throws(GLError) {
        guard let versus = loupe.versus else { return }
        for blend in blendSteps {
            try painter.draw(.versus, region, in: [view.region.bounds], onto: canvas, blend: blend) { program in
                bind(versus, about: loupe.center, content: other, target: canvas, program)
                program.set(.adds, blend == .add ? 1 : 0)
            }
        }
    }

    private func bind(
        _ versus: Loupe.Versus, about center: Point, content: Target, target: Target, _ program: Program
    ) {
        let direction = versus.direction
        // From the content's first pixel.
        let (dx, dy) = (center.x - Double(content.x), center.y - Double(content.y))
        program.set(.pixelOrigin, integers: content.x - target.x, content.y - target.y)
        program.set(.loupeContent, content.framebuffer.texture, unit: 0)
        program.set(.contentShift, integers: target.x - content.x, target.y - content.y)
        program.set(
            .halfLine,
            SIMD3(Float(direction.dx), Float(direction.dy), Float(-(dx * direction.dx + dy * direction.dy))))
        program.set(.dividerColor, versus.divider?.color.working(blending) ?? .zero)
        program.set(.dividerWidth, Float(versus.divider?.width ?? 0))
    }
}
