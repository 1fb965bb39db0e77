import LoupeJSON
import LoupeScene

extension Difference {
    /// The result for machines: the same keys whatever was found, null where there is nothing to say.
    package var json: JSONValue {
        [
            "same": .bool(isSame),
            "metric": .string(metric.name),
            "differingPixels": .number(Double(differingPixels)),
            "totalPixels": .number(Double(totalPixels)),
            "ratio": .number(ratio),
            "maxDelta": .number(maxDelta),
            "maxAt": maxAt.map { [.number(Double($0.x)), .number(Double($0.y))] } ?? .null,
            "boxes": .array(boxes.map(\.json)),
            "densestWindow": densestWindow?.json ?? .null,
            "wouldPass": wouldPass?.json ?? .null,
            "regions": .object(regionsJSON),
            "sizes": ["reference": referenceSize.json, "actual": actualSize.json],
        ]
    }

    private var regionsJSON: JSONObject {
        var object = JSONObject()
        for part in regions {
            let json: JSONValue = [
                "differingPixels": .number(Double(part.differingPixels)), "maxDelta": .number(part.maxDelta),
            ]
            _ = object.append(json, forKey: part.region.rawValue)
        }
        return object
    }
}

extension Box {
    fileprivate var json: JSONValue {
        [
            "x": .number(Double(bounds.minX)), "y": .number(Double(bounds.minY)),
            "width": .number(Double(bounds.width)), "height": .number(Double(bounds.height)),
            "pixels": .number(Double(differingPixels)),
        ]
    }
}

extension PictureSize {
    fileprivate var json: JSONValue { ["width": .number(Double(width)), "height": .number(Double(height))] }
}

extension Difference.WouldPass {
    fileprivate var json: JSONValue {
        switch metric {
        case .channel(let tolerance):
            ["tolerance": .number(Double(tolerance.base)), "maxPixels": .number(Double(maxPixels))]
        case .yiq(let threshold, _):
            ["threshold": .number(threshold), "maxPixels": .number(Double(maxPixels))]
        }
    }
}
