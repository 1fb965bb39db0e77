import LoupeJSON
import LoupePage
import LoupeScene

/// Makes a page's text from the lines that `Page.lines` gives.
package struct PageWriter {
    private var templates: TemplateSet?

    package init() {}

    /// The text that a line stands for: nothing for the first, which holds the templates.
    /// - Throws: `DocumentError` or `TemplateError`.
    package mutating func text(of line: String) throws -> String {
        var line = try JSONReader(parsing: Array(line.utf8))
        guard let templates else {
            templates = try TemplateSet(Self.templates(line.required("templates")))
            try line.finish()
            return ""
        }
        let name = try line.required("template").string()
        let values = try line.required("values").value
        try line.finish()
        return try templates.render(name, values)
    }

    private static func templates(_ value: JSONReader) throws(DocumentError) -> [(name: String, text: String)] {
        guard case .object(let object) = value.value else { throw value.error("an object of templates is needed") }
        var reader = value
        return try object.members.map { (member) throws(DocumentError) in
            (name: member.key, text: try reader.required(member.key).string())
        }
    }
}

extension Page {
    /// The whole text at once.
    package func text() throws -> String {
        var writer = PageWriter()
        var text = ""
        try forEachLine { text += try writer.text(of: $0) }
        return text
    }
}
