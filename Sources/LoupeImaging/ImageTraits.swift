import CLCMS
import LoupeBase
import LoupeSystem

/// A property of a file beside its pixels, such as its density.
package struct ImageTrait: Hashable, Sendable {
    /// What it is called in sentences.
    package let name: String
    /// The value for a person.
    package let text: String
    /// What is compared.
    private let key: [UInt8]

    private init(_ name: String, _ text: String, key: [UInt8] = []) {
        (self.name, self.text, self.key) = (name, text, key)
    }

    /// What differs between the properties of two files, a clause for each, in the order of the first.
    package static func differences(_ reference: [ImageTrait], _ actual: [ImageTrait]) -> [String] {
        if reference == actual { return [] }
        let names = (reference + actual).map(\.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return names.compactMap { name in
            let (one, other) = (reference.first { $0.name == name }, actual.first { $0.name == name })
            guard one != other else { return nil }
            // Not every format says these.
            if one == nil || other == nil, name == "channels" || name == "depth" { return nil }
            let texts = [one?.text ?? "none", other?.text ?? "none"]
            return texts[0] == texts[1]
                ? "\(name) \(texts[0]), but another one" : "\(name) \(texts.joined(separator: " → "))"
        }
    }
}

extension ImageTrait {
    /// Whether it is that of several frames.
    package var isOfAnimation: Bool { name == "frames" && text != "1" }

    /// The properties of a file beside its pixels: format, channels, depth, frames, orientation, density and colours. What it does
    /// not say is left out. And what its colours are, or why that can't be read.
    /// - Throws: ``ImageError``: the file can't be read, or has too many chunks.
    package static func all(
        of file: ImageFile
    ) throws(ImageError) -> (traits: [ImageTrait], color: Result<ColorEncoding, ImageError>) {
        var traits = [ImageTrait("format", file.format.rawValue)]
        var (orientation, density): (Orientation, PixelDensity?) = (.upright, nil)
        var known: Result<ColorEncoding, ImageError>?
        switch file.header {
        case .png(let header):
            let kinds: [UInt8: String] = [0: "grey", 2: "RGB", 3: "palette", 4: "grey with alpha", 6: "RGBA"]
            traits.append(ImageTrait("channels", kinds[header.colorType] ?? "unknown"))
            traits.append(ImageTrait("depth", "\(header.depth) bits"))
            let chunks = try PNG.chunks(pngChunks, beforeImageIn: file.currentContent().source(), name: file.name) {
                _, isSound in isSound
            }.mapValues(\.content)
            if let code = chunks["cICP"] {
                traits.append(ImageTrait("cICP", code.map { "\($0)" }.joined(separator: "-")))
            }
            orientation = file.orientation
            density = chunks["pHYs"].flatMap(PixelDensity.init(content:))
            known = Result { () throws(ImageError) in try PNG.color(in: chunks, name: file.name) }
        case .jpeg:
            let header = try JPEGHeader(file.contents(), name: file.name)
            traits.append(ImageTrait("channels", [1: "grey", 4: "CMYK"][header.components] ?? "RGB"))
            (orientation, density) = (header.orientation, header.density)
        case .webp: orientation = WebP.orientation(of: try file.contents())
        case .remote(let header):
            traits.append(ImageTrait("depth", "\(header.depth) bits"))
            (orientation, density) = (header.orientation, header.density)
        case .svg, .pdf: known = .success(.sRGB)
        }
        let color = known ?? Result { () throws(ImageError) in try file.colorEncoding() }
        let frames = file.frameCount
        if frames > 1 { traits.append(ImageTrait("frames", "\(frames)")) }
        if orientation != .upright { traits.append(ImageTrait("orientation", "\(orientation.rawValue)")) }
        if let density {
            let perInch = [density.x, density.y].map { (Double($0) * PixelDensity.metresPerInch).hundredths }
            let text = perInch[0] == perInch[1] ? perInch[0] : perInch.joined(separator: "×")
            traits.append(ImageTrait("density", "\(text) dpi", key: Array("\(density.x) \(density.y)".utf8)))
        }
        let encoding = try? color.get()
        let key: [UInt8] = if case .profile(let bytes) = encoding { bytes } else { [] }
        return (traits + [ImageTrait("colours", encoding?.name ?? "unusable", key: key)], color)
    }

    private static let pngChunks = PNG.colorChunks.union(["pHYs"])
}

extension ColorEncoding {
    /// The name for a person, such as `sRGB`, `profile Display P3` or `gamma 1`.
    package var name: String {
        switch self {
        case .sRGB: "sRGB"
        case .profile(let bytes): "profile " + (Self.description(of: bytes)?.quotable ?? "without a name")
        case .calibrated(let calibration):
            (calibration.gamma.map { "gamma \($0.hundredths)" } ?? "sRGB's curve")
                + (calibration.chromaticities == Calibration.standard ? "" : ", other primaries")
        }
    }

    /// The name that an ICC profile gives itself.
    private static func description(of profile: [UInt8]) -> String? {
        guard let handle = cmsOpenProfileFromMem(profile, UInt32(profile.count)) else { return nil }
        defer { cmsCloseProfile(handle) }
        var text = [CChar](repeating: 0, count: 128)
        let count = cmsGetProfileInfoASCII(handle, cmsInfoDescription, "en", "US", &text, 127)
        let letters = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return count > 0 && !letters.isEmpty ? String(decoding: letters, as: UTF8.self) : nil
    }
}
