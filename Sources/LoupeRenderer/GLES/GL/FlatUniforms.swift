// Uniforms that the vertex shader passes on to the fragment shader.
//
// Mesa's llvmpipe reads every number of a uniform in a fragment shader lane by lane, checked against the buffer's end: some 25
// instructions a number for eight fragments, which was half of all that no-edge/linear took. In a vertex shader it reads the
// number once, and a flat input of a fragment shader costs it one instruction. What arrives are the same bits, so the
// pictures are the same. A program takes longer to compile, which pays over many frames only. On GPUs uniforms cost nothing.

/// A vertex and a fragment shader with the same result as the given pair. Number and vector uniforms are read in the
/// vertex shader only. Arrays, samplers and declarations of several names stay in the fragment shader.
struct FlatUniforms {
    /// The vertex shader, which hands the uniforms on.
    let vertex: String
    /// The fragment shader: the same lines, with flat inputs of the same names in place of uniforms.
    let fragment: String
    /// The names that the vertex shader declares the uniforms by, by those that they had.
    let names: [String: String]

    /// Moves what can be moved.
    init(vertex: String, fragment: String) {
        var inputs: [String] = []
        var declarations: [String] = []
        var assignments: [String] = []
        var names: [String: String] = [:]
        // GLSL ES 1.00 has no flat inputs.
        let canBeFlat = vertex.hasPrefix("#version 3") && fragment.hasPrefix("#version 3")
        for line in fragment.split(separator: "\n", omittingEmptySubsequences: false) {
            if canBeFlat, let (type, name) = Self.uniform(declaredIn: line) {
                inputs.append("flat in highp \(type) \(name);")
                names[name] = "given_\(name)"
                declarations.append("uniform highp \(type) given_\(name);\nflat out highp \(type) \(name);")
                assignments.append("\(name) = given_\(name);")
                continue
            }
            inputs.append(String(line))
            // Each has its uniforms under the same conditions.
            if line.hasPrefix("#"), !line.hasPrefix("#version"), !line.hasPrefix("#extension") {
                declarations.append(String(line))
                assignments.append(String(line))
            }
        }
        self.names = names
        guard !names.isEmpty else {
            self.vertex = vertex
            self.fragment = fragment
            return
        }
        let lines: [String] = vertex.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let main = ["#undef main", "void main() {", "placeVertex();"] + assignments + ["}", ""]
        let text = [lines[0]] + declarations + ["#define main placeVertex"] + lines.dropFirst() + main
        self.vertex = text.joined(separator: "\n")
        self.fragment = inputs.joined(separator: "\n")
    }

    private static let types = ["float", "vec2", "vec3", "vec4", "int", "ivec2", "ivec3", "ivec4"]

    /// The number or vector that a line declares as a uniform; nil for any other line.
    private static func uniform(declaredIn line: Substring) -> (type: String, name: String)? {
        guard line.hasPrefix("uniform "), let end = line.firstIndex(of: ";") else { return nil }
        let words = line[..<end].split(separator: " ").map(String.init).filter { $0 != "highp" }
        let isName = words.last?.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") } ?? false
        guard words.count == 3, isName, types.contains(words[1]) else { return nil }
        return (words[1], words[2])
    }
}
