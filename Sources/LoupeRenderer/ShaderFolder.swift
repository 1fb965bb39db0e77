import Glibc
import LoupeSystem

/// A folder of shader files that stand in for the embedded ones.
package enum ShaderFolder {
    /// The texts of the files that are named like shaders.
    package static func replacements(_ folder: Path) throws -> ShaderReplacements {
        var texts: [String: String] = [:]
        for path in try files(in: folder) {
            texts[path.name.description] = try text(of: path)
        }
        do {
            return try ShaderReplacements(texts)
        } catch {
            throw ShaderFolderError(description: "\(folder): \(error.description)")
        }
    }

    /// The texts of shader files with names that differ: those of the files, or else their paths.
    package static func named(_ paths: [Path]) throws -> [(name: String, text: String)] {
        let names = paths.map { $0.name.description }
        return try paths.enumerated().map { index, path in
            let isUnique = names.count { $0 == names[index] } == 1
            let copies = paths[..<index].count { $0 == path }
            let name = (isUnique ? names[index] : "\(path)") + (copies > 0 ? "#\(copies + 1)" : "")
            return (name, try text(of: path))
        }
    }

    /// The text of a shader file.
    private static func text(of path: Path) throws -> String {
        let text = try InputBytes.read(path: path, as: .text)
        if text.contains(0) { throw ShaderFolderError(description: "\(path): not a shader; it holds a byte 0") }
        return String(decoding: text, as: UTF8.self)
    }

    /// The files that are named like shaders, in the folder and in `common` below it.
    package static func files(in folder: Path) throws -> [Path] {
        guard let names = folder.entries() else {
            throw FileError.unreadable(path: folder.description, reason: String(cString: strerror(errno)))
        }
        let common = folder.child("common")
        return (names.map(folder.child) + (common.entries() ?? []).map(common.child)).filter {
            $0.hasEnding(".vert") || $0.hasEnding(".frag") || $0.hasEnding(".glsl")
        }
    }
}

/// Something that is wrong with a shader file or a folder of them, in a sentence.
package struct ShaderFolderError: Error, CustomStringConvertible {
    package let description: String
}
