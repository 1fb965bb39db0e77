import LoupeGLES
import LoupeGeometry
import LoupePlan
import LoupeScene
import LoupeShaders

/// What `common/callout.glsl` is compiled for.
struct CalloutKind: Hashable {
    /// Whether the loupe is no disc.
    let isLens: Bool
    let hasHole: Bool

    var definitions: [(String, Int)] { [("IS_LENS", isLens ? 1 : 0), ("HAS_HOLE", hasHole ? 1 : 0)] }

    /// In names of programs.
    var suffix: String { (isLens ? "/lens" : "") + (hasHole ? "/hole" : "") }

    var uniforms: [Uniform] {
        if isLens { return ClipShader.outlineUniforms + (hasHole ? [.zoom, .sourceShift] : []) }
        return [.sourceCenter, .sourceRadius] + (hasHole ? [.discCenter, .discRadius] : [])
    }
}

/// What the shaders of a callout read of its source and its loupe.
struct CalloutInputs {
    let kind: CalloutKind
    private let callout: CalloutPlan
    /// The source's outline; nil for a disc's.
    private let sheet: OutlineSheet?

    init(_ callout: CalloutPlan, on context: Context) throws(GLError) {
        self.callout = callout
        sheet = try Self.sheet(of: callout, on: context)
        kind = CalloutKind(isLens: sheet != nil, hasHole: callout.hasHole)
    }

    /// The loupe's own outline is measured by the source's tangents too, which have to be the more exact for that.
    private static func sheet(of callout: CalloutPlan, on context: Context) throws(GLError) -> OutlineSheet? {
        guard case .outline(let outline) = callout.source else { return nil }
        let placed = PlacedOutline(rect: outline.rect, radii: outline.radii, exponent: outline.exponent)
        let tangents = OutlineTangents(
            of: placed, seenIn: [callout.source.block(grownBy: 1)], reach: (callout.ring?.width ?? 0) + 0.5,
            tolerance: CornerTangents.tolerance / (callout.hasHole ? callout.zoom : 1))
        return try OutlineSheet(tangents, of: placed, on: context)
    }

    /// - Parameter origin: The canvas pixel that shader positions are told from.
    func bind(_ program: Program, from origin: (x: Int, y: Int), onto canvas: Target) {
        program.set(.pixelOrigin, integers: origin.x - canvas.x, origin.y - canvas.y)
        sheet?.bind(program, from: origin, unit: 0)
        if case .circle(let source) = callout.source {
            program.set(.sourceCenter, source.center.place(from: origin))
            program.set(.sourceRadius, Float(source.radius))
        }
        if kind.hasHole { bindHole(program, from: origin) }
    }

    private func bindHole(_ program: Program, from origin: (x: Int, y: Int)) {
        if case .circle(let disc) = callout.border {
            program.set(.discCenter, disc.center.place(from: origin))
            program.set(.discRadius, Float(disc.radius))
        } else if let sheet {
            let (source, loupe) = (callout.source.center - sheet.origin, callout.border.center.place(from: origin))
            program.set(.zoom, Float(callout.zoom))
            program.set(
                .sourceShift, SIMD2(Float(source.dx), Float(source.dy)) - loupe / Float(callout.zoom))
        }
    }
}
