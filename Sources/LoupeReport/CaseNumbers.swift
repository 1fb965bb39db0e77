import LoupeDiff
import LoupeJSON

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
    ///   - title: the case's title, which errors name.
    /// - Throws: `DocumentError` where a member is missing or out of range.
    init(_ details: JSONObject, of title: String) throws(DocumentError) {
        var details = JSONReader(.object(details), path: .key(title, in: .document))
        for change in try details.optional("changes")?.array() ?? [] {
            var change = change
            facts.append(["what changed", try change.required("text").string()])
        }
        var limits = try details.optional("limits")
        let hasTolerance = try limits?.optional("tolerance") != nil
        if var difference = try details.optional("difference") { try read(&difference, hasTolerance: hasTolerance) }
        if var limits { try read(limits: &limits) }
        if var driver = try details.optional("driver") {
            let version = try driver.required("version").string()
            facts.append(["drawn by", "\(try driver.required("renderer").string()), \(version)"])
        }
    }

    /// - Parameter hasTolerance: whether a pixel counts whose difference is over a tolerance.
    private mutating func read(_ difference: inout JSONReader, hasTolerance: Bool) throws(DocumentError) {
        let size = try Self.size(difference.required("sizes"))
        if size.contains("→") { facts.append(["size", size]) }
        let differing = try difference.required("differingPixels").integer(in: Self.counts)
        let total = try difference.required("totalPixels").integer(in: Self.counts)
        let largest = try difference.required("maxDelta").number(in: 0...255).text
        short = size.contains("→") ? "\(size), " : ""
        short += differing == 0 ? "largest \(largest)" : "\(differing) px, largest \(largest)"
        let counted = hasTolerance && differing > 0 ? ", by more than the tolerance" : ""
        facts.append(["differing pixels", "\(differing) of \(total)\(counted)"])
        facts.append(["largest difference", largest + (try Self.position(difference.required("maxAt")))])
        if var passing = try difference.required("wouldPass").unlessNull {
            var limits: [String] = []
            for (key, words) in [("tolerance", "tolerance"), ("threshold", "threshold"), ("maxMean", "mean error")] {
                guard let limit = try passing.optional(key)?.unlessNull?.number(in: 0...255) else { continue }
                limits.append("\(words) \(limit.text)")
            }
            let pixels = try passing.required("maxPixels").integer(in: Self.counts)
            facts.append(["would pass at", "\(limits.joined(separator: ", ")), or \(pixels) differing pixels"])
        }
        for name in ["flip", "ssim", "ms-ssim", "oklab"] {
            guard var statistics = try difference.optional(name) else { continue }
            facts.append(["mean of \(name)", try statistics.required("mean").number(in: -1...255).text])
        }
        if var shift = try difference.optional("shift")?.unlessNull {
            let (x, y) = (
                try shift.required("x").number(in: -1e6...1e6), try shift.required("y").number(in: -1e6...1e6)
            )
            facts.append(["shift", "(\(x.text), \(y.text)) px"])
        }
        if !size.contains("→") { facts.append(["size", size]) }
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

    private mutating func read(limits: inout JSONReader) throws(DocumentError) {
        let metric = try limits.optional("metric")?.string()
        var parts = [metric].compactMap { $0?.hasPrefix("channel/") == true ? nil : $0 }
        for (key, words) in [("tolerance", "tolerance"), ("threshold", "threshold"), ("maxMean", "mean error")] {
            if let limit = try limits.optional(key)?.number(in: 0...255) { parts.append("\(words) \(limit.text)") }
        }
        var text = parts.joined(separator: ", ")
        var regions = try limits.optionalObject("regions")
        for region in PictureRegion.allCases {
            if let tolerance = try regions.optional(region.rawValue)?.integer(in: 0...255) {
                text += ", \(region.rawValue) \(tolerance)"
            }
        }
        let pixels = try limits.required("maxPixels").integer(in: Self.counts)
        if pixels > 0 { text += ", \(pixels) differing pixels" }
        if let ratio = try limits.optional("maxRatio")?.number(in: 0...1) {
            text += ", \((100 * ratio).text) % of them"
        }
        if let search = try limits.optional("search")?.integer(in: 0...255) { text += ", up to \(search) px aside" }
        if var share = try limits.optional("share") {
            let percent = try share.required("ratio").number(in: 0...1) * 100
            text += ", \(percent.text) % over \(try share.required("level").integer(in: 0...255))"
        }
        facts.append(["allowed", text])
        if let why = try limits.optional("why") { facts.append(["why so much", try why.string()]) }
    }

    private static func position(_ value: JSONReader) throws(DocumentError) -> String {
        guard let value = value.unlessNull else { return "" }
        let position = try value.tuple("x", "y")
        return " at \(try position[0].integer(in: counts)),\(try position[1].integer(in: counts))"
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

extension JSONReader {
    fileprivate var unlessNull: JSONReader? { value == .null ? nil : self }
}

extension Double {
    /// Six digits after the point at most, and no trailing zeros.
    fileprivate var text: String { JSONValue.number((self * 1e6).rounded() / 1e6).line }
}
