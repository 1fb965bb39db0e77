import ArgumentParser
import LoupeBase
import LoupeFigure
import LoupeScene

// How the command line writes the values of a scene.

extension StringProtocol {
    /// What `read` makes of the parts between separators; nil where it can't read one of them.
    func parts<Value>(between separator: Character, _ read: (SubSequence) -> Value?) -> [Value]? {
        let parts = split(separator: separator, omittingEmptySubsequences: false).map(read)
        return parts.contains { $0 == nil } ? nil : parts.compactMap(\.self)
    }
}

extension ImageSize: ExpressibleByArgument {
    /// `WxH`, whole pixels.
    public init?(argument: String) {
        self.init(text: argument)
    }
}

/// `COLSxROWS`: how many frames lie side by side on a contact sheet.
struct SheetGrid: ExpressibleByArgument {
    let columns: Int
    let rows: Int

    init?(argument: String) {
        let allowed = 1...100
        guard let size = ImageSize(argument: argument), allowed.contains(size.width), allowed.contains(size.height)
        else { return nil }
        columns = size.width
        rows = size.height
    }
}

/// `X,Y`, pixels; fractions and negative numbers are allowed.
struct Coordinates: ExpressibleByArgument {
    let point: Point

    init?(argument: String) {
        guard let point = Position.coordinates(argument) else { return nil }
        self.point = point
    }
}

/// Checks of a flag's value that the parser does not make.
enum FlagValue {
    /// - Throws: `ValidationError` for what is no finite number in decimal digits.
    @Sendable static func decimal(_ text: String) throws -> Double {
        if let number = Double(decimal: text) { return number }
        throw ValidationError("a number is needed, such as 2 or 0.5")
    }

    /// - Throws: `ValidationError`, which ends the command with code 64, where the value is out of range.
    static func checked(_ name: String, _ value: Double, in range: some RangeExpression<Double>) throws -> Double {
        if range.contains(value) { return value }
        let allowed =
            switch range {
            case let range as ClosedRange<Double>: "\(range.lowerBound.jsonText)…\(range.upperBound.jsonText)"
            case let range as PartialRangeFrom<Double>: "\(range.lowerBound.jsonText) and up"
            default: "\(range)"
            }
        let text = value.isFinite ? value.jsonText : "\(value)"
        throw ValidationError("\(name): \(text) is out of range; allowed is \(allowed)")
    }

    /// The same for a value that may not be given.
    static func check(_ name: String, _ value: Double?, in range: some RangeExpression<Double>) throws {
        if let value { _ = try checked(name, value, in: range) }
    }

    /// Refuses two outputs that both are standard output.
    static func checkStandardOutput(_ outputs: [(flag: String, path: OutputPath?)]) throws {
        let flags = outputs.filter { $0.path.isStandardOutput }.map(\.flag)
        if flags.count > 1 {
            throw ValidationError(
                "\(flags[0]) - and \(flags[1]) - would both write to standard output; give one of them a file")
        }
    }
}
