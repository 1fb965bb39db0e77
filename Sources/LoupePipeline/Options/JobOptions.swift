import LoupeBase
import LoupeFigure
import LoupeScene

/// The options of `render` that a job has, read from its JSON.
package struct JobOptions: Sendable {
    /// Those of the page.
    package private(set) var given = GivenOptions()
    /// The size on paper.
    package private(set) var paper = PaperSize()
    /// Bits a channel.
    package private(set) var depth = SampleDepth.eight
    /// Whether the picture stores its scene.
    package private(set) var isDescribed = true
    /// How well a JPEG or WebP is packed, 1 to 100.
    package private(set) var quality: Int?
    /// Whether a warning is an error.
    package private(set) var isStrict = false
    /// Whether the reference renderer draws.
    package private(set) var usesOracle = false
    /// The most pixels of an image.
    package private(set) var maxPixels: Int?
    package private(set) var streamFrom: Int?
    /// Paths of files to write.
    package private(set) var map, plan, stats: String?

    /// What is wrong with a text that holds U+0000: as a path it would end there.
    static let noNull = "it holds the character U+0000; leave it out"

    /// Options of `render` that are for all jobs, and so for the command line.
    private static let refused: Set = ["device", "no-fallback", "max-memory", "no-sync", "svg-by", "svg-timeout"]

    /// The options of `render` beside those of the page that a job can have.
    private static let names: Set = [
        "no-metadata", "reference", "map", "show-plan", "stats", "width", "height", "dpi", "depth", "max-pixels",
        "stream-from", "strict", "quality",
    ]

    /// - Parameter keys: those of the job that are no options.
    package init(_ job: JSONReader, without keys: Set<String>) throws(DocumentError) {
        guard case .object(let object) = job.value else { return }
        for member in object.members where !keys.contains(member.key) {
            if Self.refused.contains(member.key) {
                throw job.error(at: member.key, "it is for all jobs; use batch --\(member.key)")
            }
            let value = JSONReader(member.value, path: .key(member.key, in: job.path))
            let option = PictureOption.named(member.key)
            guard option != nil || Self.names.contains(member.key) else {
                let other = PictureOption.successor(of: member.key)
                throw job.error(
                    at: member.key, other ?? "unknown key; allowed are input, output and the options of render")
            }
            for text in try Self.texts(value) {
                guard let option else {
                    try set(member.key, text, value)
                    continue
                }
                let isFlag = if case .none = option.value { true } else { false }
                let text = text.isEmpty ? option.alone ?? "" : text
                if isFlag != text.isEmpty {
                    throw value.error(isFlag ? "it is given or not: true or false" : "it needs a value")
                }
                given.add(option.name, text.utf8)
            }
        }
    }

    /// Sets an option that is not the page's. Its text is empty for `true`.
    private mutating func set(_ name: String, _ text: String, _ value: JSONReader) throws(DocumentError) {
        func needed<Value>(_ read: Value?, _ forms: String) throws(DocumentError) -> Value {
            guard let read else { throw value.error("'\(text.quotable)' is not \(forms)") }
            return read
        }
        func path() throws(DocumentError) -> String { try needed(text.isEmpty ? nil : text, "a path") }
        func length() throws(DocumentError) -> PaperLength {
            try needed(PaperLength(text: text), "a length, such as \(PaperLength.examples)")
        }
        func isGiven() throws(DocumentError) -> Bool {
            try needed(text.isEmpty ? true : nil, "allowed; it is given or not: true or false")
        }
        switch name {
        case "no-metadata": isDescribed = try !isGiven()
        case "quality":
            quality = try needed(Int(text).flatMap { 1...100 ~= $0 ? $0 : nil }, "a whole number from 1 to 100")
        case "strict": isStrict = try isGiven()
        case "reference": usesOracle = try isGiven()
        case "map": map = try path()
        case "show-plan": plan = try path()
        case "stats": stats = try path()
        case "width": paper.width = try length()
        case "height": paper.height = try length()
        case "dpi": paper.dpi = try needed(Double(text), "a number from 1 to 1000000")
        case "depth": depth = try needed(Int(text).flatMap { SampleDepth(rawValue: $0) }, "8 or 16")
        case "max-pixels":
            maxPixels = try needed(Int(text).flatMap { $0 < 1 ? nil : $0 }, "a whole number, at least 1")
        default: streamFrom = try needed(Int(text), "a whole number")
        }
    }

    /// The values of an option: an empty one for `true`, none for `false`, and of an array the numbers of one value, or else
    /// several values.
    private static func texts(_ value: JSONReader) throws(DocumentError) -> [String] {
        switch value.value {
        case .bool(let isGiven): return isGiven ? [""] : []
        case .array(let elements):
            let numbers = elements.compactMap { if case .number = $0 { $0.line } else { nil } }
            if numbers.count == elements.count, !elements.isEmpty { return [numbers.joined(separator: ",")] }
            var texts: [String] = []
            for element in try value.array() { texts += try self.texts(element) }
            return texts
        case .string(let text):
            if text.utf8.contains(0) { throw value.error(noNull) }
            if text.isEmpty { throw value.error("it is empty; give it a value, or leave it out") }
            return [text]
        case .number: return [value.value.line]
        case .null, .object:
            throw value.error("an option needs a string, a number, a boolean or an array")
        }
    }
}
