import LoupeDiff
import LoupeJSON
import LoupeScene

/// The numbers of a case, as the results have them, ready for the templates.
struct CaseNumbers {
    /// For the list; empty where nothing was compared.
    private(set) var short = ""
    private(set) var facts: [JSONValue] = []
    private(set) var regions: [JSONValue] = []
    private(set) var boxes: [JSONValue] = []

    static let namedBoxes = Difference.namedBoxes
    private static let counts = 0...(1 << 53)

    /// - Parameter title: of the case, for errors.
    init(_ details: JSONObject, of title: String) throws(DocumentError) {
        var details = JSONReader(.object(details), path: .key(title, in: .document))
        if var difference = try details.optional("difference") { try read(&difference) }
        if var limits = try details.optional("limits") { try read(limits: &limits) }
        if var driver = try details.optional("driver") {
            let version = try driver.required("version").string()
            facts.append(fact("drawn by", "\(try driver.required("renderer").string()), \(version)"))
        }
    }

    private mutating func read(_ difference: inout JSONReader) throws(DocumentError) {
        let differing = try difference.required("differingPixels").integer(in: Self.counts)
        let total = try difference.required("totalPixels").integer(in: Self.counts)
        let largest = try difference.required("maxDelta").number(in: 0...255).text
        short = differing == 0 ? "largest \(largest)" : "\(differing) px, largest \(largest)"
        facts.append(fact("differing pixels", "\(differing) of \(total)"))
        facts.append(fact("largest difference", largest + (try Self.place(difference.required("maxAt")))))
        if var passing = try difference.required("wouldPass").unlessNull {
            let tolerance = try passing.required("tolerance").integer(in: 0...255)
            let pixels = try passing.required("maxPixels").integer(in: Self.counts)
            facts.append(fact("would pass at", "tolerance \(tolerance), or \(pixels) differing pixels"))
        }
        try read(sizes: difference.required("sizes"))
        regions = try Self.regions(difference.required("regions"))
        boxes = try difference.required("boxes").array().map(Self.box)
    }

    private mutating func read(sizes: JSONReader) throws(DocumentError) {
        var sizes = sizes
        var texts: [String] = []
        for key in ["reference", "actual"] {
            var size = try sizes.required(key)
            let width = try size.required("width").integer(in: Self.counts)
            texts.append("\(width)×\(try size.required("height").integer(in: Self.counts))")
        }
        facts.append(fact("size", texts[0] == texts[1] ? texts[0] : "reference \(texts[0]), actual \(texts[1])"))
    }

    private mutating func read(limits: inout JSONReader) throws(DocumentError) {
        var text = "tolerance \(try limits.required("tolerance").integer(in: 0...255))"
        for region in PictureRegion.allCases {
            var regions = try limits.required("regions")
            if let tolerance = try regions.optional(region.rawValue)?.integer(in: 0...255) {
                text += ", \(region.rawValue) \(tolerance)"
            }
        }
        let pixels = try limits.required("maxPixels").integer(in: Self.counts)
        if pixels > 0 { text += ", \(pixels) differing pixels" }
        if var share = try limits.optional("share") {
            let percent = try share.required("ratio").number(in: 0...1) * 100
            text += ", \(percent.text) % over \(try share.required("level").integer(in: 0...255))"
        }
        facts.append(fact("allowed", text))
        if let why = try limits.optional("why") { facts.append(fact("why so much", try why.string())) }
    }

    private static func place(_ value: JSONReader) throws(DocumentError) -> String {
        guard let value = value.unlessNull else { return "" }
        let place = try value.tuple("x", "y")
        return " at \(try place[0].integer(in: counts)),\(try place[1].integer(in: counts))"
    }

    private static func regions(_ value: JSONReader) throws(DocumentError) -> [JSONValue] {
        var value = value
        var rows: [JSONValue] = []
        for region in PictureRegion.allCases {
            guard var part = try value.optional(region.rawValue) else { continue }
            let pixels = try part.required("differingPixels").integer(in: counts)
            let largest = try part.required("maxDelta").number(in: 0...255).text
            rows.append([
                "region": .string(region.rawValue), "pixels": .number(Double(pixels)), "largest": .string(largest),
            ])
        }
        return rows
    }

    private static func box(_ value: JSONReader) throws(DocumentError) -> JSONValue {
        var value = value
        var numbers: [Int] = []
        for key in ["x", "y", "width", "height", "pixels"] {
            numbers.append(try value.required(key).integer(in: counts))
        }
        let bounds = numbers.dropLast().map(String.init).joined(separator: ",")
        return ["bounds": .string(bounds), "pixels": .number(Double(numbers[4]))]
    }
}

extension JSONReader {
    fileprivate var unlessNull: JSONReader? { value == .null ? nil : self }
}

extension Double {
    /// Without a needless `.0`, and without the digits that a binary fraction trails.
    fileprivate var text: String { JSONValue.number((self * 1e6).rounded() / 1e6).line }
}
