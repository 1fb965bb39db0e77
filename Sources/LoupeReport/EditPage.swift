import LoupeBase

extension HTMLPage {
    /// The page of an editor, which asks the server that it comes from for everything else.
    /// - Parameters:
    ///   - title: the page that is edited.
    ///   - fields: the options that have fields: `FigureEditor.fields`.
    package static func editor(title: String, fields: JSONValue) -> HTMLPage {
        var page = HTMLPage(
            template: PackageResources.live_html, title: title, body: PackageResources.edit_html,
            style: PackageResources.edit_css, script: [PackageResources.edit_js], data: [("fields", fields)])
        page.asksServer = true
        return page
    }
}
