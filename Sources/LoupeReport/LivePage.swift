import LoupeBase
import LoupeImaging

/// A figure on a live page.
package struct PageFigure {
    /// What the WebAssembly module reads.
    let document: JSONValue
    /// The bytes of each of its pictures.
    let pictures: [[UInt8]]
    /// As it is without a script.
    let still: HTMLPage.Figure

    /// - Parameters:
    ///   - document: what the WebAssembly module reads.
    ///   - pictures: the bytes of each of its pictures.
    ///   - still: the opening frame as the command draws it, a PNG or WebP; its sides are in pixels.
    ///   - label: what screen readers call the figure.
    package init(_ document: JSONValue, pictures: [[UInt8]], still: [UInt8], width: Int, height: Int, label: String) {
        (self.document, self.pictures) = (document, pictures)
        self.still = HTMLPage.Figure(picture: still, width: width, height: height, label: label)
    }
}

extension HTMLPage {
    /// The page of a figure: the picture as it was drawn, and a script that replaces it by a figure in the reader's hand.
    /// - Parameter title: of the page.
    /// - Returns: nil where the command was built without the module.
    package static func live(_ figure: PageFigure, title: String) -> HTMLPage? {
        live(
            .reader, title, body: PackageResources.live_reader_html,
            scripts: [PackageResources.live_start_js], data: [("document", figure.document)], [figure])
    }

    /// The page of sessions: each is played, and its model follows the reader's hand.
    /// - Parameter records: whether the page records the hand.
    /// - Returns: nil where the command was built without the module.
    package static func live(_ sessions: [PageFigure], records: Bool) -> HTMLPage? {
        live(
            .sessions, "Interfaces in motion", body: PackageResources.live_session_html,
            style: PackageResources.live_session_css,
            scripts: [PackageResources.live_recorder_js, PackageResources.live_session_js],
            data: [("records", .bool(records)), ("figures", .array(sessions.map(\.document)))], sessions)
    }

    /// What all live pages share. The pictures of the first figure are called `picture-0-0`, `picture-0-1` and so on.
    private static func live(
        _ module: LiveModule.Name, _ title: String, body: [UInt8], style: [UInt8] = [], scripts: [[UInt8]],
        data: [(key: String, value: JSONValue)], _ figures: [PageFigure]
    ) -> HTMLPage? {
        guard let text = LiveModule.text(module) else { return nil }
        let shared = [
            PackageResources.payload_js, PackageResources.live_gl_js, PackageResources.live_module_js,
            PackageResources.live_figure_js,
        ]
        var page = HTMLPage(
            template: PackageResources.live_html, title: title, body: body, style: PackageResources.live_css + style,
            script: shared + scripts, data: data)
        page.figures = figures.map(\.still)
        page.payloads = [("module", text.description)]
        for (number, figure) in figures.enumerated() {
            for (index, picture) in figure.pictures.enumerated() {
                page.payloads.append(("picture-\(number)-\(index)", Base85.encode(picture)))
            }
        }
        return page
    }
}
