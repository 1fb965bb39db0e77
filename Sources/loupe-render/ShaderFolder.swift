import Glibc
import LoupeFiles
import LoupeImaging
import LoupeJSON
import LoupeRenderer

/// A folder of shader files that stand in for the embedded ones.
enum ShaderFolder {
    /// The files that are named like shaders, in the folder and in `common` below it.
    static func replacements(_ folder: String) throws -> ShaderReplacements {
        var texts: [String: String] = [:]
        guard let names = Paths.names(in: folder) else {
            throw Failure(.noInput, "\(folder.quotable): \(String(cString: strerror(errno)))")
        }
        for (place, name) in names.map({ ("\(folder)/\($0)", $0) })
            + (Paths.names(in: folder + "/common") ?? []).map({ ("\(folder)/common/\($0)", $0) })
        where [".vert", ".frag", ".glsl"].contains(where: name.hasSuffix) {
            do {
                let text = try InputBytes.read(path: place, as: .text)
                if text.contains(0) { throw Failure(.badInput, "\(place.quotable): not a shader; it holds a byte 0") }
                texts[name] = String(decoding: text, as: UTF8.self)
            } catch {
                throw Failure(error)
            }
        }
        do {
            return try ShaderReplacements(texts)
        } catch {
            throw Failure(.badInput, "\(folder.quotable): \(error.description)")
        }
    }
}
