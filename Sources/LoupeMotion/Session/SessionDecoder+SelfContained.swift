import LoupeBase
import LoupeScene

extension SessionDecoder {
    /// A session as one document that names no file: the scene and the trace stand in it, and images have other names.
    /// - Parameter name: The name of the image at a path, which is relative to the session's folder.
    /// - Returns: A session that `decode` reads as the same motion.
    /// - Throws: As `decode`.
    package func selfContained(
        _ bytes: [UInt8], name: (_ path: ImagePath) -> ImagePath
    ) throws(SceneDecodingError) -> JSONValue {
        var session = try JSONReader(parsing: bytes)
        try session.acceptSchema()
        guard case .object(let object) = session.value else { return session.value }
        var complete = JSONObject()
        for member in object.members where member.key != "$schema" {
            var value = member.value
            switch member.key {
            case "scene": value = try selfContained(scene: session.required("scene"), name)
            case "trace":
                let cutOff = try session.optional("cutOff")?.choice(of: Trace.CutOff.self) ?? .refuse
                value = TraceEncoder.json(of: try trace(session.required("trace"), cutOff))
            case "photo", "page": value = Self.renamed(value, name)
            case "title", "background": value = Self.renamingImage(of: value, name)
            case "items":
                var items: [JSONValue] = []
                for item in try session.required("items").array() { items.append(try selfContained(item: item, name)) }
                value = .array(items)
            default: break
            }
            _ = complete.append(value, forKey: member.key)
        }
        return .object(complete)
    }

    private func selfContained(
        scene value: JSONReader, _ name: (ImagePath) -> ImagePath
    ) throws(SceneDecodingError) -> JSONValue {
        try JSONValue(parsing: Array(SceneEncoder().encode(scene(value).renamingImages(name)).utf8))
    }

    private func selfContained(
        item: JSONReader, _ name: (ImagePath) -> ImagePath
    ) throws(SceneDecodingError) -> JSONValue {
        guard case .object(let members) = Self.renamingImage(of: item.value, name) else { return item.value }
        var (item, complete) = (item, JSONObject())
        for member in members.members {
            let value: JSONValue =
                switch member.key {
                case "scene": try selfContained(scene: item.required("scene"), name)
                case "title": Self.renamingImage(of: member.value, name)
                default: member.value
                }
            _ = complete.append(value, forKey: member.key)
        }
        return .object(complete)
    }

    private static func renamed(_ value: JSONValue, _ name: (ImagePath) -> ImagePath) -> JSONValue {
        guard case .string(let text) = value else { return value }
        return .string(name(ImagePath(text)).description)
    }

    private static func renamingImage(of value: JSONValue, _ name: (ImagePath) -> ImagePath) -> JSONValue {
        guard case .object(let picture) = value else { return value }
        var renamed = JSONObject()
        for member in picture.members {
            let value = member.key == "image" ? Self.renamed(member.value, name) : member.value
            _ = renamed.append(value, forKey: member.key)
        }
        return .object(renamed)
    }
}
