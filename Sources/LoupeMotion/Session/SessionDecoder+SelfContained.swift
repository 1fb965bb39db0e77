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
        try selfContained(try JSONReader(parsing: bytes), name)
    }

    /// A value with all that it names by a path, at any depth.
    private func selfContained(
        _ value: JSONReader, _ name: (ImagePath) -> ImagePath
    ) throws(SceneDecodingError) -> JSONValue {
        if case .array = value.value {
            var elements: [JSONValue] = []
            for element in try value.array() { elements.append(try selfContained(element, name)) }
            return .array(elements)
        }
        guard case .object = value.value else { return value.value }
        var object = value
        var complete = JSONObject()
        for key in try value.keys() where key != "$schema" {
            let member = try object.required(key)
            let written: JSONValue
            switch (key, member.value) {
            case ("scene", _):
                let scene = try self.scene(member).renamingImages(name)
                written = try JSONValue(parsing: Array(SceneEncoder().encode(scene).utf8))
            case ("trace", _): written = TraceEncoder.json(of: try trace(member))
            case ("title", _) where member.isText:
                // Who reads it has no fonts.
                var title =
                    if case .object(let given) = member.value { given } else { JSONObject([("text", member.value)]) }
                _ = title.append(.number(try text(member).width), forKey: "width")
                written = .object(title)
            case ("photo", .string(let path)), ("page", .string(let path)), ("image", .string(let path)):
                written = .string(name(ImagePath(path)).description)
            default: written = try selfContained(member, name)
            }
            _ = complete.append(written, forKey: key)
        }
        return .object(complete)
    }
}
