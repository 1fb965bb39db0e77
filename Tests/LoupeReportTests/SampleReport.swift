import LoupeCompare

@testable import LoupeBase

/// Results as `verify --json --json-pictures` writes them.
enum SampleReport {
    static let digits = String(repeating: "0a", count: 32)
    private static let picture = "iVBORw0KGgo="

    /// - Parameters:
    ///   - name: the name of the cases, and all other text that a person or a driver chooses.
    ///   - largest: the largest difference of a channel.
    static func report(
        name: String, state: CaseResult.State = .failed, largest: Double = 9, count: Int = 1
    ) throws -> VerifyReport {
        let cases = (0..<count).map { sceneCase(name: name, number: $0, state: state, largest: largest) }
        let json: JSONValue = [
            "format": "loupe-verify/1", "milliseconds": .number(5),
            "obsolete": [.string(name)], "cases": .array(cases),
        ]
        return try VerifyReport(parsing: Array(json.line.utf8))
    }

    private static func sceneCase(
        name: String, number: Int, state: CaseResult.State, largest: Double
    ) -> JSONValue {
        [
            "suite": .string(name), "name": .string(name), "scene": .string("\(name)\(number).json"),
            "state": .string(state.rawValue), "message": .string(name), "milliseconds": .number(1.5),
            "limits": limits(why: name), "difference": difference(largest: largest),
            "driver": ["renderer": .string(name), "version": .string(name)],
            "pictures": [
                "reference": .string(picture), "actual": .string(picture), "difference": .string(picture),
                "hash": .string("sha256:\(digits)"),
            ],
        ]
    }

    private static func limits(why: String) -> JSONValue {
        [
            "tolerance": .number(2), "maxPixels": .number(0), "regions": [:],
            "share": ["level": .number(1), "ratio": .number(0.001)], "why": .string(why),
        ]
    }

    private static func difference(largest: Double) -> JSONValue {
        let size: JSONValue = ["width": .number(20), "height": .number(10)]
        let box: JSONValue = [
            "x": .number(1), "y": .number(0), "width": .number(3), "height": .number(1), "pixels": .number(3),
        ]
        return [
            "same": .bool(false), "metric": "channel/1", "differingPixels": .number(3), "totalPixels": .number(200),
            "ratio": .number(0.015), "maxDelta": .number(largest), "maxAt": [.number(1), .number(0)],
            "boxes": [box], "areas": [box],
            "wouldPass": ["tolerance": .number(9), "maxPixels": .number(3)],
            "regions": ["background": ["differingPixels": .number(3), "maxDelta": .number(largest)]],
            "sizes": ["reference": size, "actual": size],
        ]
    }
}
