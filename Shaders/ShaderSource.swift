/// The GLSL ES 3.00 sources, embedded in the binary, with their includes spliced in.
public struct ShaderSource: Hashable, Sendable {
    /// The file's name, as errors and logs tell it.
    public let name: String
    /// The complete text that the driver compiles.
    public let text: String

    /// - Parameters:
    ///   - file: one of the shaders of this folder.
    ///   - isInked: whether a layer's content has strokes on it.
    ///   - definitions: preprocessor names and their values, put right after the version line.
    ///   - replacements: files to take instead of those of this folder.
    public init(
        _ file: ShaderFile, isInked: Bool = false, definitions: [(String, Int)] = [],
        replacements: ShaderReplacements = .embedded
    ) {
        name = file.rawValue
        let lines = Self.spliced(replacements[file.rawValue] ?? file.text, isInked: isInked, replacements)
        let defines = definitions.map { "#define \($0.0) \($0.1)" }
        text = ([lines[0]] + defines + lines.dropFirst()).joined(separator: "\n") + "\n"
    }

    init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// The lines of a file with each `#include "name"` replaced by that file's own.
    /// - Parameter isInked: whether the inked content, which includes the plain one, stands in for it.
    private static func spliced(_ text: String, isInked: Bool, _ replacements: ShaderReplacements) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            guard let name = CommonFile.name(inInclude: line) else { return [String(line)] }
            guard var part = CommonFile(rawValue: name) else {
                preconditionFailure("\(name) is included by a shader but is not in Shaders/common")
            }
            let standsIn = isInked && part == .content
            if standsIn { part = .inkedContent }
            return spliced(replacements[part.rawValue] ?? part.text, isInked: isInked && !standsIn, replacements)
        }
    }
}

/// A stage's file in this folder.
public enum ShaderFile: String, Hashable, Sendable, CaseIterable {
    case mesh = "mesh.vert"
    case noEdge = "no-edge.frag"
    case singleEdge = "single-edge.frag"
    case corner = "corner.frag"
    case unevenCorner = "uneven-corner.frag"
    case filterColumns = "filter-columns.frag"
    case rim = "rim.frag"
    case shadow = "shadow.frag"
    case lensRim = "lens-rim.frag"
    case lensShadow = "lens-shadow.frag"
    case versus = "versus.frag"
    case connector = "connector.frag"
    case sourceRing = "source-ring.frag"
    case mark = "mark.frag"
    case copy = "copy.frag"
    case finish = "finish.frag"

    var text: String {
        let bytes =
            switch self {
            case .mesh: PackageResources.mesh_vert
            case .noEdge: PackageResources.no_edge_frag
            case .singleEdge: PackageResources.single_edge_frag
            case .corner: PackageResources.corner_frag
            case .unevenCorner: PackageResources.uneven_corner_frag
            case .filterColumns: PackageResources.filter_columns_frag
            case .rim: PackageResources.rim_frag
            case .shadow: PackageResources.shadow_frag
            case .lensRim: PackageResources.lens_rim_frag
            case .lensShadow: PackageResources.lens_shadow_frag
            case .versus: PackageResources.versus_frag
            case .connector: PackageResources.connector_frag
            case .sourceRing: PackageResources.source_ring_frag
            case .mark: PackageResources.mark_frag
            case .copy: PackageResources.copy_frag
            case .finish: PackageResources.finish_frag
            }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A part that several shaders share, in the folder `common`.
enum CommonFile: String, CaseIterable {
    case precision = "precision.glsl"
    case place = "place.glsl"
    case coverage = "coverage.glsl"
    case clip = "clip.glsl"
    case outline = "outline.glsl"
    case border = "border.glsl"
    case callout = "callout.glsl"
    case erfc = "erfc.glsl"
    case lay = "lay.glsl"
    case light = "light.glsl"
    case table = "table.glsl"
    case fixed = "fixed.glsl"
    case content = "content.glsl"
    case inkedContent = "inked-content.glsl"
    case surface = "surface.glsl"

    /// The file that an include line names, its folder left out; nil for any other line.
    static func name(inInclude line: Substring) -> String? {
        guard line.hasPrefix("#include ") else { return nil }
        let parts = line.split(separator: "\"" as Character)
        return parts.count > 1 ? parts[1].split(separator: "/").last.map(String.init) : ""
    }

    var text: String {
        let bytes =
            switch self {
            case .precision: PackageResources.precision_glsl
            case .place: PackageResources.place_glsl
            case .coverage: PackageResources.coverage_glsl
            case .clip: PackageResources.clip_glsl
            case .outline: PackageResources.outline_glsl
            case .border: PackageResources.border_glsl
            case .callout: PackageResources.callout_glsl
            case .erfc: PackageResources.erfc_glsl
            case .lay: PackageResources.lay_glsl
            case .light: PackageResources.light_glsl
            case .table: PackageResources.table_glsl
            case .fixed: PackageResources.fixed_glsl
            case .content: PackageResources.content_glsl
            case .inkedContent: PackageResources.inked_content_glsl
            case .surface: PackageResources.surface_glsl
            }
        return String(decoding: bytes, as: UTF8.self)
    }
}
