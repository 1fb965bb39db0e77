import ArgumentParser
import LoupeGeometry
import LoupeScene

// How the command line writes the values of a scene.

/// `WxH`, whole pixels.
struct CanvasSize: ExpressibleByArgument {
    let width: Int
    let height: Int

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    init?(argument: String) {
        let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
        self.init(width: width, height: height)
    }
}

/// `COLSxROWS`: how many frames lie side by side on a contact sheet.
struct SheetGrid: ExpressibleByArgument {
    let columns: Int
    let rows: Int

    init?(argument: String) {
        let allowed = 1...100
        guard let size = CanvasSize(argument: argument), allowed.contains(size.width), allowed.contains(size.height)
        else { return nil }
        columns = size.width
        rows = size.height
    }
}

/// `X,Y`, canvas pixels; fractions and negative numbers are allowed.
struct Coordinates: ExpressibleByArgument {
    let point: Point

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        let limit = 1e6
        guard parts.count == 2, let x = parts[0], let y = parts[1], abs(x) <= limit, abs(y) <= limit else {
            return nil
        }
        point = Point(x: x, y: y)
    }
}

extension Color: ExpressibleByArgument {
    public init?(argument: String) { self.init(hex: argument) }
}

extension Filter: ExpressibleByArgument {}
extension LoupeFilter: ExpressibleByArgument {}
extension Blending: ExpressibleByArgument {}

extension Double {
    /// Without a needless ".0".
    var plain: String { self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self) }
}
