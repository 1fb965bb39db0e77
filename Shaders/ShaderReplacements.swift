import LoupePlan

/// Shader files that replace the embedded ones of the same name, so that a change can be tried without building.
package struct ShaderReplacements: Hashable, Sendable {
    private let texts: [String: String]

    /// No replacement: every shader as it is embedded.
    package static let embedded = ShaderReplacements()

    private init() { texts = [:] }

    /// - Parameter texts: the files' texts by their names, without folders.
    /// - Throws: where there is no file, a name is no shader's, or an include can't be followed.
    package init(_ texts: [String: String]) throws(ShaderReplacementError) {
        guard !texts.isEmpty else { throw .nothingToReplace }
        self.texts = texts
        for name in texts.keys.sorted() {
            guard Self.names.contains(name) else { throw .unknownFile(name) }
            try checkIncludes(of: name, seen: [name])
        }
    }

    /// Follows the includes of a file: each must be a common file, and none may lead back.
    private func checkIncludes(of name: String, seen: [String]) throws(ShaderReplacementError) {
        guard let text = texts[name] ?? CommonFile.named(name)?.text else { return }
        for include in text.split(separator: "\n").compactMap(CommonFile.name(inInclude:)) {
            guard CommonFile.named(include) != nil, !seen.contains(include) else {
                throw .unknownInclude(include, in: name)
            }
            try checkIncludes(of: include, seen: seen + [include])
        }
    }

    /// The name of every file that can be replaced.
    package static let names: [String] =
        Shader.allCases.map { $0.rawValue } + CommonFile.all.map { $0.name }

    /// Whether nothing is replaced.
    package var isEmpty: Bool { texts.isEmpty }
    subscript(name: String) -> String? { texts[name] }
}

/// The reason why files can't replace shaders.
package enum ShaderReplacementError: Error, Hashable, CustomStringConvertible {
    /// There is no file.
    case nothingToReplace
    /// No shader has this name.
    case unknownFile(String)
    /// A file includes one that is not in `common`, or that includes it in turn.
    case unknownInclude(String, in: String)

    package var description: String {
        switch self {
        case .nothingToReplace: "holds no .vert, .frag or .glsl file"
        case .unknownFile(let name):
            "\(name) is no shader of Loupe; there are \(ShaderReplacements.names.joined(separator: ", "))"
        case .unknownInclude(let include, let name):
            "\(name) includes \(include), which is not in common or leads back to it"
        }
    }
}
