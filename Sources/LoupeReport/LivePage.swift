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
            script: [PackageResources.live_gl_js, PackageResources.live_module_js, PackageResources.live_figure_js],
            data: [("document", document)])
        page.figure = Figure(png: png, width: width, height: height, label: label)
        page.payloads = [("unpacker", texts.unpacker.description), ("module", texts.module.description)]
        for (index, picture) in pictures.enumerated() {
            page.payloads.append(("picture-\(index)", Base85.encode(picture)))
        }
        return page
    }
}
