import LoupeJSON

/// A loupe's shape and its other half.
extension SceneEncoder {
    /// Nil for a disc.
    func shape(of loupe: Loupe) -> JSONValue? {
        guard case .rectangle(let rectangle) = loupe.shape else { return nil }
        var object = JSONObject()
        _ = object.append(numbers(rectangle.width, rectangle.height), forKey: "size")
        for member in members(rectangle.corner).members { _ = object.append(member.value, forKey: member.key) }
        return .object(object)
    }

    func json(_ split: Loupe.Split) -> JSONValue {
        [
            "image": .string(split.image),
            "angle": .number(split.angle),
            "divider": split.divider.map { ["width": .number($0.width), "color": .string($0.color.hex)] },
        ]
    }
}
