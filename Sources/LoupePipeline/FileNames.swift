import LoupeImaging
import LoupeSystem

/// A format in which a picture, or a page that shows it, can be written to a file.
package enum PictureFormat: String {
    case png = "a PNG"
    case tiff = "a TIFF"
    case jpeg = "a JPEG"
    case webp = "a WebP"
    case svg = "an SVG"
    case pdf = "a PDF"
    case html = "an HTML page"

    /// What names of such files end in; the first is the usual one.
    fileprivate var endings: [String] {
        switch self {
        case .png: ["png", "apng"]
        case .tiff: ["tif", "tiff"]
        case .jpeg: ["jpg", "jpeg", "jfif"]
        case .webp: ["webp"]
        case .svg: ["svg"]
        case .pdf: ["pdf"]
        case .html: ["html", "htm"]
        }
    }

    /// What names of other pictures and documents end in. A name that ends in anything else promises nothing.
    fileprivate static let knownEndings: Set<String> = [
        "png", "apng", "svg", "svgz", "pdf", "ps", "eps", "jpg", "jpeg", "jfif", "jxl", "jp2", "webp", "avif", "heic",
        "gif", "tif", "tiff", "bmp", "ico", "tga", "ppm", "exr", "psd", "mp4", "webm", "mov", "mkv", "y4m", "json",
        "html", "htm", "xml", "csv", "txt",
    ]
}

extension Path {
    /// Whether it ends like a file of a format.
    package func isNamed(_ format: PictureFormat) -> Bool { ending.map(format.endings.contains) ?? false }

    /// What follows the last dot of the name, in small letters; nil for standard output and a name without a dot.
    package var ending: String? {
        guard !isDash, let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        return String(decoding: name.bytes[(dot + 1)...], as: UTF8.self).lowercased()
    }

    /// A sentence about a name that is another format's than those that can be written to it; nil where it is none.
    /// - Parameter flag: the option that names the file.
    package func misnomer(_ flag: String, for formats: PictureFormat...) -> String? {
        let allowed = formats.flatMap(\.endings)
        guard let ending, PictureFormat.knownEndings.contains(ending), !allowed.contains(ending) else { return nil }
        let names = formats.map(\.rawValue)
        let written = names.dropLast().joined(separator: ", ") + (names.count > 1 ? " or " : "") + (names.last ?? "")
        return "\(flag) \(self): .\(ending) can't be written, only \(written); end the name in .\(allowed[0])"
    }

    /// Writes a file that appears whole or not at all, or standard output for `-`. A closed pipe is no error: its reader
    /// has what it wanted.
    /// - Parameter confinement: where a file must lie.
    package func write(_ bytes: [UInt8], in confinement: PathConfinement = .none) throws(FileError) {
        guard isDash else { return try AtomicFile.write(bytes, to: self, in: confinement) }
        do {
            try StandardOutput.write(bytes)
        } catch {
            if !error.isBrokenPipe { throw error }
        }
    }
}
