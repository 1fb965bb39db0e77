import LoupeBase
import LoupeCompare

/// The numbers of a case from the results of `verify`, checked, as the page shows them.
struct CaseNumbers {
    /// The numbers in the list of cases; empty if nothing was compared.
    private(set) var short = ""
    /// Lines of a table: what it is, and its value.
    private(set) var facts: [[String]] = []
    /// For each region its name, the count of differing pixels, and the largest difference.
    private(set) var regions: [JSONValue] = []
    /// For each box the count of differing pixels, then x, y, width and height in pixels.
    private(set) var boxes: [JSONValue] = []

    /// The most boxes that results name.
    static let namedBoxes = Difference.namedBoxes
    private static let counts = 0...(1 << 53)

    /// - Parameters:
    ///   - details: the limits, the difference and the driver, each where there is one.
    ///   - message: the result on one line, of which a row is made of each finding.
    ///   - title: the case's title, which errors name.
    /// - Throws: `DocumentError` where a member is missing or out of range.
    init(_ details: JSONObject, message: String, of title: String) throws(DocumentError) {
        var details = JSONReader(.object(details), path: .key(title, in: .document))
        _ = try details.optional("changes")
        if var difference = try details.optional("difference") {
            facts = message.split(separator: "; ").enumerated().map {
                [$0.offset == 0 ? "result" : "", String($0.element)]
            }
            try read(&difference)
        }
        if var limits = try details.optional("limits") {
            facts.append(["allowed", limits.value.line])
            if let why = try limits.optional("why") { facts.append(["why so much", try why.string()]) }
        }
        if var driver = try details.optional("driver") {
            let version = try driver.required("version").string()
            facts.append(["drawn by", "\(try driver.required("renderer").string()), \(version)"])
        }
    }

    private mutating func read(_ difference: inout JSONReader) throws(DocumentError) {
        let size = try Self.size(difference.required("sizes"))
        facts.append(["size", size])
        let differing = try difference.required("differingPixels").integer(in: Self.counts)
        let largest = try difference.required("maxDelta").number(in: 0...255).text
        short = size.contains("→") ? "\(size), " : ""
        short += differing == 0 ? "largest \(largest)" : "\(differing) px, largest \(largest)"
        regions = try Self.regions(difference.required("regions"))
        boxes = try difference.required("boxes").array().map(Self.box)
    }

    /// Both sizes, or the one that both pictures have.
    private static func size(_ value: JSONReader) throws(DocumentError) -> String {
        var sizes = value
        var texts: [String] = []
        for key in ["reference", "actual"] {
            var size = try sizes.required(key)
            let width = try size.required("width").integer(in: counts)
            texts.append("\(width)×\(try size.required("height").integer(in: counts))")
        }
        return texts[0] == texts[1] ? texts[0] : texts.joined(separator: " → ")
    }

    private static func regions(_ value: JSONReader) throws(DocumentError) -> [JSONValue] {
        var value = value
        var rows: [JSONValue] = []
        for region in PictureRegion.allCases {
            guard var part = try value.optional(region.rawValue) else { continue }
            let pixels = try part.required("differingPixels").integer(in: counts)
            let largest = try part.required("maxDelta").number(in: 0...255).text
            rows.append([.string(region.rawValue), .number(Double(pixels)), .string(largest)])
        }
        return rows
    }

    private static func box(_ value: JSONReader) throws(DocumentError) -> JSONValue {
        var value = value
        let keys = ["pixels", "x", "y", "width", "height"]
        return .array(
            try keys.map { (key) throws(DocumentError) in
                .number(Double(try value.required(key).integer(in: counts)))
            })
    }
}

extension Double {
    /// Six digits after the point at most, and no trailing zeros.
    fileprivate var text: String { JSONValue.number((self * 1e6).rounded() / 1e6).line }
}
