import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeShaders

// Shaders of the user's: files that replace Loupe's own, and fragment shaders that have nothing to do with loupes.

/// The reason why the driver refuses a shader of the user's.
package struct ShaderFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in one sentence.
    package let sentence: String
    /// The driver's log, line by line; empty where it gives none.
    package let log: [String]

    init(_ sentence: String, log: String = "") {
        self.sentence = sentence
        self.log = log.split(separator: "\n").map(String.init)
    }

    /// - Parameter name: of the fragment shader.
    init(_ error: GLError, _ name: String) {
        switch error {
        case .compile(let shader, let log):
            self.init(
                shader == Program.vertexLabel ? "\(shader), for \(name), does not compile" : "\(name) does not compile",
                log: log)
        case .link(_, let log): self.init("\(name) does not link", log: log)
        default: self.init("\(name): \(error.description)")
        }
    }

    package var description: String { ([sentence] + log).joined(separator: "\n") }
}

/// The value of a uniform of the user's.
package enum UniformValue: Sendable {
    /// Whole elements, columns first in matrices.
    case numbers([Double])
    /// The image that a sampler reads.
    case image(Image)
}

/// A GLSL ES fragment shader that is drawn over a whole target.
///
/// Its inputs of type `vec2`, `vec3` and `vec4` are positions: 0, 0 at the first pixel's corner, 1, 1 at the last one's,
/// 0 and 1 in the third and fourth component. Samplers of type `sampler2D` without a value have an image of
/// the caller's, those of other types read black. Other uniforms without a value are 0.
package final class FullScreenShader {
    /// Its name in reports.
    package let name: String
    /// The uniforms that the driver has kept.
    package let uniforms: [ActiveVariable]
    private let renderer: Renderer
    private let program: Program
    private let vertices: VertexBuffer
    private let targets: [Framebuffer]
    private let textures: [(texture: Texture, units: Range<Int>)]
    private let values: [(uniform: ActiveVariable, numbers: [Double])]

    /// Compiles a shader.
    /// - Parameters:
    ///   - renderer: its context must be held.
    ///   - values: by the uniforms' names. Those that the shader lacks are ignored.
    ///   - image: for samplers that have no value.
    /// - Throws: `ShaderFailure`, or a renderer's error.
    package init(
        _ renderer: Renderer, name: String, text: String, size: ImageSize, values: [String: UniformValue] = [:],
        image: Image
    ) throws {
        let context = renderer.context
        (self.renderer, self.name) = (renderer, name)
        program = try VertexText.linked(with: text, name: name) { vertex throws(GLError) in
            try Program(context, label: name, vertex: vertex, fragment: text, isMeasured: true)
        }
        uniforms = program.activeUniforms.filter { !$0.name.hasPrefix("gl_") }
        vertices = try VertexBuffer(context)
        try vertices.upload([SIMD2(-1, -1), SIMD2(1, -1), SIMD2(1, 1), SIMD2(-1, -1), SIMD2(1, 1), SIMD2(-1, 1)])
        targets = try (0..<2).map { _ in
            try Framebuffer(context, format: .rgba8, width: size.width, height: size.height)
        }
        program.use()
        let units = program.assignUnits()
        var textures: [(texture: Texture, units: Range<Int>)] = []
        var numbers: [(uniform: ActiveVariable, numbers: [Double])] = []
        for uniform in uniforms {
            switch values[uniform.name] {
            case .numbers(let given):
                if let problem = uniform.problem(with: given) { throw ShaderFailure("\(name): \(problem)") }
                numbers.append((uniform, given))
            case .image(let image):
                guard uniform.isSampler2D, let units = units[uniform.name] else {
                    throw ShaderFailure(
                        "\(name): the uniform \(uniform.name) is no sampler2D; "
                            + (uniform.isSampler ? "a sampler of another type reads black" : "give it numbers"))
                }
                textures.append((try Self.texture(image, context), units))
            case nil:
                if uniform.isSampler2D, let units = units[uniform.name] {
                    textures.append((try Self.texture(image, context), units))
                } else if uniform.components > 0 {
                    numbers.append((uniform, [Double](repeating: 0, count: uniform.components * uniform.count)))
                }
            }
        }
        (self.textures, self.values) = (textures, numbers)
    }

    private static func texture(_ image: Image, _ context: Context) throws -> Texture {
        try Texture(context, .rgba8, PixelRect(width: image.width, height: image.height), image.pixels)
    }

    /// Draws it a number of times, without waiting.
    ///
    /// Two targets take turns. llvmpipe drops from a batch whatever a later opaque draw covers in whole tiles; a change of
    /// the target ends the batch, so every draw is shaded.
    package func draw(times: Int) {
        program.use()
        for (uniform, numbers) in values { program.set(uniform, numbers: numbers) }
        for (texture, units) in textures { Program.bind(texture, to: units) }
        for turn in 0..<times {
            targets[turn % 2].bind()
            vertices.drawTriangles(.replace)
        }
    }

    /// Draws it once and reads it back.
    package func picture() throws -> Image {
        draw(times: 1)
        return try renderer.read(targets[0])
    }
}

extension ActiveVariable {
    /// Why numbers can't be the value of this uniform; nil where they can.
    fileprivate func problem(with numbers: [Double]) -> String? {
        let type = typeName ?? "of a type that can't be set"
        if isSampler { return "the uniform \(name) is a sampler; give it an image" }
        guard components > 0, numbers.count % components == 0, numbers.count <= components * count, !numbers.isEmpty
        else {
            return
                "the uniform \(name) is \(type.withArticle); it takes \(components * count) numbers, not \(numbers.count)"
        }
        let (range, isWhole): (ClosedRange<Double>, Bool) =
            switch type.first {
            case "b": (0...1, true)
            case "i": (Double(Int32.min)...Double(Int32.max), true)
            case "u": (0...Double(UInt32.max), true)
            default: (-Double(Float.greatestFiniteMagnitude)...Double(Float.greatestFiniteMagnitude), false)
            }
        return numbers.first { !(range.contains($0) && (!isWhole || $0.rounded() == $0)) }.map {
            "the uniform \(name) is \(type.withArticle), which can't be \($0.isFinite ? $0.jsonText : "\($0)")"
        }
    }
}

extension String {
    /// After `a` or `an`; as it is where it is more than one word.
    fileprivate var withArticle: String { contains(" ") ? self : hasPrefix("i") ? "an \(self)" : "a \(self)" }
}

/// The vertex shader for a fragment shader of the user's.
enum VertexText {
    /// Links a vertex shader that fits to a fragment shader.
    static func linked<Result>(
        with fragment: String, name: String, _ link: (String) throws(GLError) -> Result
    ) throws(ShaderFailure) -> Result {
        let vertex = try matching(fragment, name: name)
        do {
            return try link(vertex)
        } catch {
            // The log is about a text that nobody has seen.
            if case .compile(Program.vertexLabel, _) = error {
                throw ShaderFailure("\(name): no vertex shader can be made for its inputs")
            }
            throw ShaderFailure(error, name)
        }
    }

    /// A shader of the same version that draws its attribute and gives every input its position.
    private static func matching(_ fragment: String, name: String) throws(ShaderFailure) -> String {
        let version = version(of: fragment)
        let isOld = version == nil || version == "100"
        let corner = Program.positionAttribute
        var lines = version.map { ["#version \($0)" + ($0 == "100" ? "" : " es")] } ?? []
        lines.append(isOld ? "attribute highp vec2 \(corner);" : "layout(location = 0) in highp vec2 \(corner);")
        var body: [String] = []
        for input in inputs(of: fragment, keyword: isOld ? "varying" : "in") {
            let parts = ["float": "x", "vec2": "xy", "vec3": "xyz", "vec4": "xyzw"]
            guard let part = parts[input.type], !input.name.contains("[") else {
                throw ShaderFailure(
                    "\(name): its input \(input.name) can't be given; inputs may be float, vec2, vec3 and vec4, outside of blocks and structures"
                )
            }
            lines.append("\(input.qualifiers) \(isOld ? "varying" : "out") highp \(input.type) \(input.name);")
            body.append("    \(input.name) = loupe_position.\(part);")
        }
        lines += ["void main() {", "    highp vec4 loupe_position = vec4(\(corner) * 0.5 + 0.5, 0.0, 1.0);"] + body
        lines += ["    gl_Position = vec4(\(corner), 0.0, 1.0);", "}"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func version(of text: String) -> String? {
        text.split(separator: "\n").first { $0.drop { $0 == " " }.hasPrefix("#version") }?
            .split { $0 == " " || $0 == "\t" || $0 == "\r" }.dropFirst().first.map(String.init)
    }

    /// An input as a text declares it. Before `in` stand qualifiers, such as `layout(location = 2)`; behind the name of an
    /// array its size.
    private typealias Input = (qualifiers: String, type: String, name: String)

    /// The inputs that a text declares without help of the preprocessor, each once.
    private static func inputs(of text: String, keyword: String) -> [Input] {
        let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }
        let code = lines.map { $0.replacing("//", with: "\u{0}").prefix { $0 != "\u{0}" } }.joined(separator: " ")
        var inputs: [Input] = []
        for statement in code.split(separator: ";") {
            let words = (statement.split(separator: "}").last ?? "").split { $0.isWhitespace }
            guard let start = words.firstIndex(of: keyword[...]) else { continue }
            let qualifiers = words[..<start].joined(separator: " ")
            let rest = qualifiers.hasPrefix("layout") ? qualifiers.drop { $0 != ")" }.dropFirst() : qualifiers[...]
            let known = ["flat", "smooth", "centroid", "sample"]
            guard rest.split(separator: " ").allSatisfy({ known.contains(String($0)) }) else { continue }
            let declared = words[(start + 1)...].drop { ["lowp", "mediump", "highp"].contains($0) }
            for name in declared.dropFirst().joined().split(separator: ",").map(String.init)
            where !inputs.contains(where: { $0.name == name }) {
                inputs.append((qualifiers, String(declared.first ?? ""), name))
            }
        }
        return inputs
    }
}

// MARK: - Compilers

/// A context that only compiles, of a driver whose GPU this machine does not have.
package struct ShaderCompiler {
    private let context: Context

    /// The compiler of the driver that the surfaceless platform leads to; its context is current on this thread.
    /// - Throws: `EGLError` where there is no driver.
    package init() throws(EGLError) { context = try Context.compiling() }

    /// `GL_RENDERER`.
    package var renderer: String { context.info.renderer }
    /// `GL_VERSION`.
    package var version: String { context.info.version }

    /// Compiles and links a program, and draws with it, since some drivers compile at the first draw.
    /// - Parameter vertex: nil makes a vertex shader for a fragment shader of the user's.
    /// - Returns: what the driver said about it.
    package func compile(label: String, vertex: String?, fragment: String) throws(ShaderFailure) -> [String] {
        func messages(_ vertex: String) throws(GLError) -> [String] {
            _ = CompilerMessages.take()
            let program = try Program(context, label: label, vertex: vertex, fragment: fragment, isMeasured: true)
            let hasIntegers = fragment.contains("out uvec4") || fragment.contains("out highp uvec4")
            let target = try Framebuffer(context, format: hasIntegers ? .rgba16UI : .rgba8, width: 64, height: 64)
            let vertices = try VertexBuffer(context)
            try vertices.upload([SIMD2(-1, -1), SIMD2(3, -1), SIMD2(-1, 3)])
            // A sampler that reads the target makes radeonsi compile shaders of its own, which it prints too.
            Texture.unbind()
            program.use()
            program.assignUnits()
            target.bind()
            vertices.drawTriangles(.replace)
            try context.finish()
            return CompilerMessages.take()
        }
        guard let vertex else { return try VertexText.linked(with: fragment, name: label, messages) }
        do throws(GLError) {
            return try messages(vertex)
        } catch {
            throw ShaderFailure(error, label)
        }
    }
}

extension ProgramName {
    /// The programs whose cost is told: the clip shaders with each content, or all by which a change is checked.
    package static func checked(all: Bool) -> [ProgramName] {
        let programs = Shader.fragments.flatMap(ProgramName.checked)
        // Reading the pixel below needs an extension that these drivers do not have.
        return all
            ? programs.filter { !$0.options.contains(.readsBelow) }
            : programs.filter { $0.content != nil && $0.options == [] }
    }

    /// What it is compared with: a clip shader with `no-edge` for the same content and options.
    package var inTheMiddle: ProgramName? {
        content == nil || shader == .noEdge ? nil : ProgramName(.noEdge, options, content: content)
    }

    /// Its complete texts.
    package func text(_ replacements: ShaderReplacements) -> (vertex: String, fragment: String) {
        (ShaderSource.mesh(replacements).text, ShaderSource(self, replacements: replacements).text)
    }
}
