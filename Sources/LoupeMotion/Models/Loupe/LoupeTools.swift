// The tools that draw in the loupe, and the tray in which the other hand chooses one.

import LoupeBase
import LoupeScene

/// A tool that a touch inside the held loupe uses on the page.
enum LoupeTool: Hashable, Sendable {
    /// Draws a stroke. The width is on the glass, in points.
    case pen(width: Double, color: Color)
    /// Removes the parts of strokes that it touches. The width is on the glass, in points.
    case eraser(width: Double)

    var erases: Bool {
        if case .eraser = self { true } else { false }
    }

    /// The width on the glass, in points.
    var width: Double {
        switch self {
        case .pen(let width, _), .eraser(let width): width
        }
    }
}

/// A part of the canvas in which a touch chooses a tool while another touch holds the loupe.
struct TrayRegion: Hashable, Sendable {
    /// The choice that a touch in the region makes.
    enum Choice: Hashable, Sendable {
        /// The pen. Nil keeps the width, in points on the glass, or the colour that the pen had last.
        case pen(width: Double?, color: Color?)
        /// The eraser, with its width in points on the glass.
        case eraser(width: Double)
    }

    /// The region, in canvas pixels.
    var rect: Rect
    /// What a touch in the region chooses.
    var choice: Choice
}

/// The chosen tool, and the pen to which a region without a width or a colour goes back.
struct LoupeTools: Hashable, Sendable {
    private var penWidth: Double
    private var penColor: Color
    /// Nil while the pen is chosen.
    private var eraserWidth: Double?

    /// The pen is chosen.
    init(_ options: LoupeModelOptions) {
        penWidth = options.penWidth
        penColor = options.penColor
    }

    var tool: LoupeTool {
        if let eraserWidth { .eraser(width: eraserWidth) } else { .pen(width: penWidth, color: penColor) }
    }

    mutating func choose(_ choice: TrayRegion.Choice) {
        switch choice {
        case .pen(let width, let color):
            penWidth = width ?? penWidth
            penColor = color ?? penColor
            eraserWidth = nil
        case .eraser(let width): eraserWidth = width
        }
    }
}

/// The tools before and after a touch in the tray has chosen one.
struct TrayChoice: Hashable, Sendable {
    let before: LoupeTools
    let after: LoupeTools
}

extension LoupeTool {
    /// As a decision names it, such as `pen, 6 points, #c0261c`.
    var text: String {
        switch self {
        case .pen(let width, let color): "pen, \(width.tenths) points, \(color.hex)"
        case .eraser(let width): "eraser, \(width.tenths) points"
        }
    }

    /// As `MotionFrame.states` writes it. An eraser's colour is null.
    var json: JSONValue {
        switch self {
        case .pen(let width, let color):
            ["kind": "pen", "width": .number(width), "color": .string(color.hex)]
        case .eraser(let width): ["kind": "eraser", "width": .number(width), "color": .null]
        }
    }
}
