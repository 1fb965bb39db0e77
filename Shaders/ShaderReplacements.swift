/// Shader files that stand in for the embedded ones of the same name, to try a variant without building.
public struct ShaderReplacements: Hashable, Sendable {
    private let texts: [String: String]

    /// Every shader as it is embedded.
    public static let embedded = ShaderReplacements()

    private init() { texts = [:] }

    /// - Parameter texts: the files' texts by their names, without folders.
    public init(_ texts: [String: String]) throws(ShaderReplacementError) {
        guard !texts.isEmpty else { throw .nothingToReplace }
        self.texts = texts
        for name in texts.keys.sorted() {
            guard Self.names.contains(name) else { throw .unknownFile(name) }
            try checkIncludes(of: name, seen: [name])
        }
    }

    /// Follows the includes of a file: each must be a common file, and none may lead back.
    private func checkIncludes(of name: String, seen: [String]) throws(ShaderReplacementError) {
        guard let text = texts[name] ?? CommonFile(rawValue: name)?.text else { return }
        for include in text.split(separator: "\n").compactMap(CommonFile.name(inInclude:)) {
            guard CommonFile(rawValue: include) != nil, !seen.contains(include) else {
                throw .unknownInclude(include, in: name)
            }
            try checkIncludes(of: include, seen: seen + [include])
        }
    }

    /// Every name that can be replaced.
    public static let names: [String] =
        ShaderFile.allCases.map(\.rawValue) + CommonFile.allCases.map(\.rawValue)

    public var isEmpty: Bool { texts.isEmpty }
    subscript(name: String) -> String? { texts[name] }
}

/// Why files can't stand in for shaders.
public enum ShaderReplacementError: Error, Hashable, CustomStringConvertible {
    case nothingToReplace
    case unknownFile(String)
    case unknownInclude(String, in: String)

    public var description: String {
        switch self {
        case .nothingToReplace: "holds no .vert, .frag or .glsl file"
        case .unknownFile(let name):
            "\(name) is no shader of Loupe; there are \(ShaderReplacements.names.joined(separator: ", "))"
        case .unknownInclude(let include, let name): "\(name) includes \(include), which it can't"
        }
    }
}
