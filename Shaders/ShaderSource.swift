import LoupePlan

/// The text of one shader as the driver compiles it, with its includes and definitions put in.
package struct ShaderSource: Hashable, Sendable {
    /// The file's name, for errors and logs.
    package let name: String
    /// The complete GLSL text.
    package let text: String

    /// The fragment shader of a program.
    /// - Parameter replacements: files to take instead of the embedded ones.
    package init(_ program: ShaderProgram, replacements: ShaderReplacements = .embedded) {
        self.init(program.shader, program.definitions, replacements)
    }

    /// The vertex shader of every program.
    package static func mesh(_ replacements: ShaderReplacements = .embedded) -> ShaderSource {
        ShaderSource(.mesh, [], replacements)
    }

    private init(_ shader: Shader, _ definitions: [(String, Int)], _ replacements: ShaderReplacements) {
        name = shader.rawValue
        let lines = Self.spliced(replacements[name] ?? shader.text, replacements)
        let defines = definitions.map { "#define \($0.0) \($0.1)" }
        text = (lines.prefix(1) + defines.map { $0[...] } + lines.dropFirst()).joined(separator: "\n") + "\n"
    }

    /// The lines of a file, with the lines of the included file in place of each `#include "name"`.
    private static func spliced(_ text: String, _ replacements: ShaderReplacements) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [Substring] in
            guard let name = CommonFile.name(inInclude: line) else { return [line] }
            guard let file = CommonFile.named(name) else {
                preconditionFailure("\(name) is included by a shader but is not in Shaders/common")
            }
            return spliced(replacements[name] ?? file.text, replacements)
        }
    }
}

// MARK: - The folder common

/// A file of the folder `common`, which shaders include.
struct CommonFile: Sendable {
    let name: String
    private let bytes: @Sendable () -> [UInt8]

    private init(_ name: String, _ bytes: @escaping @Sendable () -> [UInt8]) {
        (self.name, self.bytes) = (name, bytes)
    }

    /// All of them; a new file is a row here.
    static let all: [CommonFile] = [
        CommonFile("precision.glsl") { PackageResources.precision_glsl },
        CommonFile("frag-position.glsl") { PackageResources.frag_position_glsl },
        CommonFile("coverage.glsl") { PackageResources.coverage_glsl },
        CommonFile("clip.glsl") { PackageResources.clip_glsl },
        CommonFile("outline.glsl") { PackageResources.outline_glsl },
        CommonFile("border.glsl") { PackageResources.border_glsl },
        CommonFile("erfc.glsl") { PackageResources.erfc_glsl },
        CommonFile("source-over.glsl") { PackageResources.source_over_glsl },
        CommonFile("light.glsl") { PackageResources.light_glsl },
        CommonFile("dither.glsl") { PackageResources.dither_glsl },
        CommonFile("table.glsl") { PackageResources.table_glsl },
        CommonFile("filter-sums.glsl") { PackageResources.filter_sums_glsl },
        CommonFile("content.glsl") { PackageResources.content_glsl },
        CommonFile("ink.glsl") { PackageResources.ink_glsl },
        CommonFile("surface.glsl") { PackageResources.surface_glsl },
    ]

    static func named(_ name: String) -> CommonFile? { all.first { $0.name == name } }

    var text: String { String(decoding: bytes(), as: UTF8.self) }

    /// The file that an include line names, without its folder; nil for any other line.
    static func name(inInclude line: Substring) -> String? {
        guard line.hasPrefix("#include ") else { return nil }
        let parts = line.split(separator: "\"" as Character)
        return parts.count > 1 ? parts[1].split(separator: "/").last.map(String.init) : ""
    }
}
