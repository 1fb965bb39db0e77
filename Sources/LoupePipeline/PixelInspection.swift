import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem

/// One pixel of a page, or of a scene's picture, and those around it.
package struct PixelInspection {
    /// What the picture is: `page` or `scene`.
    private let kind: String
    private let name: String
    private let size: ImageSize
    private let place: Point
    private let column: Int
    private let row: Int
    /// Around the pixel, rows from top to bottom; nil beyond the page.
    private let neighbours: [[Color?]]
    private let color: Color

    /// - Parameters:
    ///   - place: in pixels of the image, from its upper left corner.
    ///   - count: how many neighbours there are each way, the pixel included; odd.
    /// - Returns: nil where there is no pixel.
    package init?(of image: Image, as kind: String, named name: String, at place: Point, count: Int) {
        guard place.x >= 0, place.y >= 0, place.x < Double(image.width), place.y < Double(image.height) else {
            return nil
        }
        (self.kind, self.name, size, self.place) = (kind, name, image.size, place)
        let (column, row) = (Int(place.x), Int(place.y))
        (self.column, self.row) = (column, row)
        color = image.color(column, row)
        let reach = count / 2
        neighbours = (row - reach...row + reach).map { y in
            (column - reach...column + reach).map { x in
                0..<image.width ~= x && 0..<image.height ~= y ? image.color(x, y) : nil
            }
        }
    }

    /// The pixel's middle.
    private var center: Point { Point(x: Double(column) + 0.5, y: Double(row) + 0.5) }

    package var json: JSONValue {
        [
            kind: [
                "name": .string(name), "width": .number(Double(size.width)), "height": .number(Double(size.height)),
            ],
            "at": .numbers([place.x, place.y]), "pixel": .numbers([Double(column), Double(row)]),
            "center": .numbers([center.x, center.y]), "hex": .string(color.hex),
            "straight": .numbers(color.straight),
            "neighbours": .array(neighbours.map { .array($0.map { $0.map { .string($0.hex) } ?? .null }) }),
        ]
    }

    /// Lines for a person.
    package var text: String {
        let facts = [
            (kind, "\(name.forTerminal), \(size.width)×\(size.height)"),
            ("pixel", "\(column),\(row), centre \(center.x),\(center.y)"), ("hex", color.hex),
            ("straight", color.straight.map(\.jsonText).joined(separator: " ")),
        ]
        let cells = neighbours.map { row in row.map { $0?.hex ?? "-" } }
        let width = cells.joined().map(\.count).max() ?? 1
        let rows = cells.map { row in
            "  " + (row.dropLast().map { $0.padded(to: width) } + row.suffix(1)).joined(separator: " ")
        }
        let lines = facts.map { $0.padded(to: 15) + $1 } + ["neighbours"] + rows
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Color {
    /// Red, green, blue and alpha, 0…255.
    fileprivate var straight: [Double] { [red, green, blue, alpha].map(Double.init) }
}

extension Image {
    fileprivate func color(_ column: Int, _ row: Int) -> Color {
        let byte = (row * width + column) * 4
        return Color(red: pixels[byte], green: pixels[byte + 1], blue: pixels[byte + 2], alpha: pixels[byte + 3])
    }
}

extension JSONValue {
    fileprivate static func numbers(_ numbers: [Double]) -> JSONValue { .array(numbers.map(JSONValue.number)) }
}
