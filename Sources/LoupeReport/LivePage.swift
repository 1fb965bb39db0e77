import LoupeImaging
import LoupeJSON

extension HTMLPage {
    /// The page of a live figure: the picture as it was drawn, and a script that replaces it by a figure in the reader's hand.
    /// - Parameters:
    ///   - document: what the WebAssembly module reads.
    ///   - pictures: the bytes of each of its pictures.
    ///   - png: the picture of the scene as the command draws it; its sides are in pixels.
    ///   - label: what screen readers call the figure.
    /// - Returns: nil where the command was built without the module.
    package static func live(
        _ document: JSONValue, pictures: [[UInt8]], png: [UInt8], width: Int, height: Int, label: String
    ) -> HTMLPage? {
        guard let texts = LiveModule.texts else { return nil }
        var page = HTMLPage(
            template: PackageResources.live_html, style: PackageResources.live_css,
            script: readerScripts + [PackageResources.live_start_js],
            data: [("document", document)])
        page.figures = [Figure(png: png, width: width, height: height, label: label)]
        page.payloads = Self.payloads(texts)
        for (index, picture) in pictures.enumerated() {
            page.payloads.append(("picture-\(index)", Base85.encode(picture)))
        }
        return page
    }

    /// A session on a live page.
    package struct LiveSession {
        /// What the WebAssembly module reads.
        let document: JSONValue
        /// The bytes of each of its pictures.
        let pictures: [[UInt8]]
        /// The first frame as the command draws it.
        let opening: Figure

        /// - Parameters:
        ///   - png: the first frame as the command draws it; its sides are in pixels.
        ///   - label: what screen readers call the figure.
        package init(
            _ document: JSONValue, pictures: [[UInt8]], png: [UInt8], width: Int, height: Int, label: String
        ) {
            (self.document, self.pictures) = (document, pictures)
            opening = Figure(png: png, width: width, height: height, label: label)
        }
    }

    /// The page of sessions: each is played, and its model follows the reader's hand.
    /// - Parameter records: whether the page records the hand.
    /// - Returns: nil where the command was built without the module.
    package static func live(_ sessions: [LiveSession], records: Bool) -> HTMLPage? {
        guard let texts = LiveModule.texts, let module = LiveModule.sessions else { return nil }
        var page = HTMLPage(
            template: PackageResources.live_session_html,
            style: PackageResources.live_css + PackageResources.live_session_css,
            script: readerScripts + [PackageResources.live_recorder_js, PackageResources.live_session_js],
            data: [("records", .bool(records)), ("figures", .array(sessions.map(\.document)))])
        page.figures = sessions.map(\.opening)
        page.payloads = Self.payloads((module, texts.unpacker))
        for (number, session) in sessions.enumerated() {
            for (index, picture) in session.pictures.enumerated() {
                page.payloads.append(("picture-\(number)-\(index)", Base85.encode(picture)))
            }
        }
        return page
    }

    private static var readerScripts: [[UInt8]] {
        [PackageResources.live_gl_js, PackageResources.live_module_js, PackageResources.live_figure_js]
    }

    private static func payloads(_ texts: (module: StaticString, unpacker: StaticString)) -> [(
        name: String, text: String
    )] {
        [("unpacker", texts.unpacker.description), ("module", texts.module.description)]
    }
}
