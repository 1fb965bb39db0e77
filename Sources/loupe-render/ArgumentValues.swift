import ArgumentParser
import LoupeBase
import LoupeCompose
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

extension Filter: ExpressibleByArgument {}

/// Checks of a flag's value that depend on other values.
enum FlagValue {
    static func checked(_ name: String, _ value: Double, in range: ClosedRange<Double>) throws -> Double {
        guard range.contains(value) else { throw Failure(.usage, sentence(name, value, range)) }
        return value
    }

    /// The same for a value that may not be given, where it is checked while arguments are parsed.
    static func check(_ name: String, _ value: Double?, in range: ClosedRange<Double>) throws {
        guard let value, !range.contains(value) else { return }
        throw ValidationError(sentence(name, value, range))
    }

    private static func sentence(_ name: String, _ value: Double, _ range: ClosedRange<Double>) -> String {
        "\(name): \(value.isFinite ? value.jsonText : "\(value)") is out of range; allowed is \(range.lowerBound.jsonText)…\(range.upperBound.jsonText)"
    }
}
