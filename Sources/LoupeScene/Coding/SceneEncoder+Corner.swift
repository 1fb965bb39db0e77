import LoupeGeometry
import LoupeJSON

/// Corners by what became of their names: radii and an exponent.
extension SceneEncoder {
    func members(_ corner: Corner) -> JSONObject {
        var object = JSONObject()
        let radii = corner.radii
        if radii.isAlike {
            _ = object.append(json(radii[.topLeft]), forKey: "radius")
        } else {
            var each = JSONObject()
            for place in CornerPosition.allCases { _ = each.append(json(radii[place]), forKey: place.rawValue) }
            _ = object.append(.object(each), forKey: "radii")
        }
        _ = object.append(.number(corner.exponent), forKey: "exponent")
        return object
    }

    private func json(_ radius: CornerRadius) -> JSONValue {
        radius.isCircular ? .number(radius.x) : numbers(radius.x, radius.y)
    }
}
