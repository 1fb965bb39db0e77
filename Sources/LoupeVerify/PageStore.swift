import LoupeImaging

/// The images that scenes show, decoded once though many scenes show them.
struct PageStore {
    /// By path from the working directory.
    private var decoded: [String: Image] = [:]
    /// Of `decoded`, the largest number kept: the few pages that suites share.
    private static let capacity = 8

    /// The images of a scene, by the paths in it.
    mutating func images(_ paths: [String], in folder: String) throws(ImageError) -> [String: Image] {
        var images: [String: Image] = [:]
        for path in paths { images[path] = try image(Self.resolved(path, in: folder)) }
        return images
    }

    private mutating func image(_ path: String) throws(ImageError) -> Image {
        if let image = decoded[path] { return image }
        let image = try ImageFile.read(path: path)
        if decoded.count >= Self.capacity { decoded.removeAll() }
        decoded[path] = image
        return image
    }

    /// Up to the last slash; empty for a file of the working directory.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// A path in a scene, from the working directory, with `folder/../` taken out so that equal files have equal
    /// paths.
    static func resolved(_ path: String, in folder: String) -> String {
        if path.hasPrefix("/") { return path }
        var parts: [Substring] = []
        for part in (folder + path).split(separator: "/") {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != "." {
                parts.append(part)
            }
        }
        return (folder.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}
