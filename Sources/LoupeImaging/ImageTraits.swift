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

    fileprivate init(_ name: String, _ text: String, key: [UInt8] = []) {
        (self.name, self.text, self.key) = (name, text, key)
    }

    /// What differs between the properties of two files, a clause for each, in the order of the first.
    package static func differences(_ reference: [ImageTrait], _ actual: [ImageTrait]) -> [String] {
        let names = (reference + actual).map(\.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return names.compactMap { name in
            let (one, other) = (reference.first { $0.name == name }, actual.first { $0.name == name })
            guard one != other else { return nil }
            let texts = [one?.text ?? "none", other?.text ?? "none"]
            return texts[0] == texts[1]
                ? "\(name) \(texts[0]), but another one" : "\(name) \(texts.joined(separator: " → "))"
        }
    }
}

extension ImageFile {
    /// The properties beside the pixels: format, channels, depth, colours, frames, orientation, density. What a file does not
    /// say is left out.
    /// - Throws: ``ImageError``: the file can't be read, or has too many chunks.
    package func traits() throws(ImageError) -> [ImageTrait] {
        var traits = [ImageTrait("format", format.rawValue)]
        switch header {
        case .png(let header):
            let kinds: [UInt8: String] = [0: "grey", 2: "RGB", 3: "palette", 4: "grey with alpha", 6: "RGBA"]
            traits.append(ImageTrait("channels", kinds[header.colorType] ?? "unknown"))
            traits.append(ImageTrait("depth", "\(header.depth) bits"))
        case .jpeg:
            traits.append(
                ImageTrait("channels", try JPEGHeader(contents(), name: name).components == 1 ? "grey" : "RGB"))
        case .webp, .svg, .pdf: break
        }
        traits.append(colorTrait)
        if case .png = header {
            let types: Set<String> = ["acTL", "cICP", "eXIf"]
            let source = try currentContent().source()
            let chunks = try PNG.chunks(types, beforeImageIn: source, name: name) { _, _ in true }
            if let code = chunks["cICP"]?.content {
                traits.append(ImageTrait("cICP", code.map { "\($0)" }.joined(separator: "-")))
            }
            if let frames = chunks["acTL"]?.content.prefix(4).reduce(0, { $0 << 8 | Int($1) }) {
                traits.append(ImageTrait("frames", "\(frames)"))
            }
            if let exif = chunks["eXIf"]?.content { add(Orientation(exif: exif[...]), to: &traits) }
        } else if format == .jpeg {
            add(try JPEGHeader(contents(), name: name).orientation, to: &traits)
        } else if format == .webp {
            add(WebP.orientation(of: try contents()), to: &traits)
        }
        if let density = try density() {
            let perInch = [density.x, density.y].map { (Double($0) * PixelDensity.metresPerInch).hundredths }
            let text = perInch[0] == perInch[1] ? perInch[0] : perInch.joined(separator: "×")
            traits.append(ImageTrait("density", "\(text) dpi", key: Array("\(density.x) \(density.y)".utf8)))
        }
        return traits
    }

    private func add(_ orientation: Orientation, to traits: inout [ImageTrait]) {
        if orientation != .upright { traits.append(ImageTrait("orientation", "\(orientation.rawValue)")) }
    }

    private var colorTrait: ImageTrait {
        do throws(ImageError) {
            let color = try colorEncoding()
            guard case .profile(let bytes) = color else { return ImageTrait("colours", color.name) }
            return ImageTrait("colours", color.name, key: bytes)
        } catch {
            return ImageTrait("colours", "a profile that can't be read")
        }
    }
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
