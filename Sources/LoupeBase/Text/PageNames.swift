/// The texts and elements of an SVG or of a page of a PDF, and where those lie that are asked for.
package struct PageNames: Hashable, Sendable {
    /// The boxes of each `text:TEXT` and `id:NAME` that is asked for, in pixels of the page; texts from top to bottom.
    package var boxes: [String: [Rect]] = [:]
    /// The part of the page around each of these boxes that is nearer to it than to other texts.
    package var rooms: [String: [Rect]] = [:]
    /// The texts that are drawn as text.
    package var text = ""
    /// The ids of all elements; nil for a page of a PDF.
    package var ids: [String]?

    package init() {}
}
