import ArgumentParser
import LoupeGeometry
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
        guard let sides = argument.parts(between: "x", { Int($0) }), sides.count == 2 else { return nil }
        self.init(width: sides[0], height: sides[1])
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
    /// The largest coordinate, in pixels, as in scenes.
    static let limit = 1e6

    let point: Point

    init?(argument: String) {
        guard let axes = argument.parts(between: ",", { Double($0) }), axes.count == 2 else { return nil }
        guard axes.allSatisfy({ abs($0) <= Self.limit }) else { return nil }
        point = Point(x: axes[0], y: axes[1])
    }
}

extension Color: ExpressibleByArgument {
    public init?(argument: String) { self.init(text: argument) }
}

extension Filter: ExpressibleByArgument {}
extension LoupeFilter: ExpressibleByArgument {}
extension Blending: ExpressibleByArgument {}
