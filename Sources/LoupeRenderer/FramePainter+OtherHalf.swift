import LoupeGLES
import LoupeGeometry
import LoupeScene
import LoupeShaders

/// Split loupes.
extension FramePainter {
    /// Draws the other half into a target of its own and lays it, with the divider, over the first one; nothing where the
    /// loupe is not split.
    func paintOtherHalf(
        of loupe: Loupe, _ view: ViewPlan, over parts: [Part]
    ) throws(GLError) {
        guard case .loupe(let index) = view.view.kind, let versus = loupe.versus,
            let other = plan.otherHalves[index]
        else { return }
        let bounds = view.region.bounds
        let content = Target(
            framebuffer: try painter.framebuffer(
                .otherHalf, format(loupePrecision), width: bounds.width, height: bounds.height),
            x: bounds.minX, y: bounds.minY)
        let isTransparent = loupe.outside == .transparent
        try paintContent(
            other, ink: try ink(of: other), .block, over: isTransparent ? .zero : background, onto: content)
        let steps = blendSteps(isOneBlend: plan.scene.canvas.background.isOpaque && !isTransparent)
        for part in parts {
            for step in steps {
                try painter.draw(.versus, part.region, in: [bounds], onto: part.target, blend: step.blend) { program in
                    bind(versus, about: loupe.center, content: content, target: part.target, program)
                    program.set(.erases, step.erases)
                }
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

extension Loupe {
    /// Whether both halves have to be joined before they are laid over what is seen through them: then nothing of the
    /// loupe is drawn straight onto the canvas.
    var isJoinedFirst: Bool { versus != nil && outside == .transparent }
}
