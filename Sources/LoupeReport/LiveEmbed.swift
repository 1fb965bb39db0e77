import LoupeBase
import LoupeCompare

/// The files that pages with several live figures load: one script for all, and a file for each.
package enum LiveEmbed {
    /// The script's file name.
    package static let scriptName = "loupe-figure.js"

    /// The script that defines `<loupe-figure src="…">`, with the module. Other scripts of a page see nothing of it but the
    /// element, and the function that files on disk call.
    /// - Returns: nil where the command was built without the module.
    package static var script: String? {
        guard let module = LiveModule.text(.reader) else { return nil }
        let parts = [
            PackageResources.payload_js, PackageResources.live_gl_js, PackageResources.live_module_js,
            PackageResources.live_figure_js, PackageResources.live_embed_js,
        ]
        // The characters of Base85 need no escapes.
        let held = "const held = {module: '\(module)'};\n"
        return "(() => {\n'use strict';\n\(held)"
            + parts.map { String(decoding: $0, as: UTF8.self) }.joined() + "})();\n"
    }

    /// A figure's file: `loupeFigure(`, JSON and `);`.
    package static func file(_ figure: PageFigure) -> String {
        let content: JSONValue = [
            "format": "loupe-figure/1", "label": .string(figure.still.label),
            "still": .string(figure.still.address), "document": figure.document,
            "pictures": .array(figure.pictures.map { .string(Base85.encode($0)) }),
        ]
        return "loupeFigure(\(content.line.jsonInScript));\n"
    }
}
