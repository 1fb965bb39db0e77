import LoupeBase
import LoupeScene

/// A request of a page to an editor, in pixels of the picture that it shows.
package enum EditAction: Sendable {
    /// A callout of a point, and one of a region.
    case addPoint(Point)
    case addRegion(Rect)
    case drag(DragStep)
    /// A value of an option, of one loupe or of the whole figure; nil lets it go.
    case set(PictureOption, String?, loupe: Int?)
    case delete(Int)
    case undo, redo

    /// A part of a loupe that a hand can take hold of.
    package enum Part: String, Sendable, CaseIterable {
        /// The loupe itself: where it lies.
        case loupe
        /// What it shows.
        case source
        /// A corner of the loupe: its size.
        case size
        /// A corner of what it shows: how much that is.
        case zoom
    }

    /// A step of a drag.
    package struct DragStep: Sendable {
        var loupe: Int
        var part: Part
        /// Where the hand was when it took hold, and where it is.
        var from, to: Point
        /// Whether this step begins the drag.
        var isFirst: Bool
        /// Steps of one gesture are undone together.
        var gesture: String
        /// Whether positions snap to those of other loupes, and sizes to round ones.
        var snaps: Bool
        /// From how far away something is snapped to.
        var reach: Double
    }

    private enum Name: String, CaseIterable { case add, drag, set, delete, undo, redo }
    /// The highest number of a loupe, and the greatest coordinate.
    private static let (loupes, far) = (0...1 << 16, 1e6)

    /// Reads `{"do": "add", "at": [x, y]}`, `{"do": "set", "option": "zoom", "value": "3", "loupe": 0}` and so on.
    package init(from document: JSONReader) throws(DocumentError) {
        var request = document
        func point(_ key: String) throws(DocumentError) -> Point { try request.required(key).point() }
        switch try request.required("do").choice(of: Name.self) {
        case .add:
            if let rect = try request.optional("region") {
                let sides = try rect.tuple("x", "y", "width", "height")
                self = .addRegion(
                    Rect(
                        x: try sides[0].number(in: -Self.far...Self.far),
                        y: try sides[1].number(in: -Self.far...Self.far),
                        width: try sides[2].number(in: 0...Self.far), height: try sides[3].number(in: 0...Self.far)))
            } else {
                self = .addPoint(try point("at"))
            }
        case .drag:
            self = .drag(
                DragStep(
                    loupe: try request.required("loupe").integer(in: Self.loupes),
                    part: try request.required("part").choice(of: Part.self), from: try point("from"),
                    to: try point("to"), isFirst: try request.required("first").bool(),
                    gesture: try request.required("gesture").string(), snaps: try request.required("snaps").bool(),
                    reach: try request.required("reach").number(in: 0...Self.far)))
        case .set:
            let name = try request.required("option")
            guard let option = PictureOption.named(try name.string()) else {
                throw name.error("there is no such option")
            }
            let value = try request.required("value")
            let loupe = try request.optional("loupe").map { value throws(DocumentError) in
                try value.integer(in: Self.loupes)
            }
            self = .set(option, value.value == .null ? nil : try value.string(), loupe: loupe)
        case .delete: self = .delete(try request.required("loupe").integer(in: Self.loupes))
        case .undo: self = .undo
        case .redo: self = .redo
        }
        try request.finish()
    }
}
