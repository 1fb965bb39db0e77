import LoupeJSON
import LoupeScene

/// An HTML page as templates and what fills them in. `loupe-template` makes the text of it.
package struct Page: Sendable {
    /// A template, filled in once.
    package struct Part: Sendable {
        let template: String
        let values: JSONValue

        package init(_ template: String, _ values: JSONValue) {
            self.template = template
            self.values = values
        }
    }

    /// Mustache templates by their names, which other templates may use as partials.
    package let templates: [(name: String, text: String)]
    /// The page is these, one after another: what is large needs never be whole in memory.
    package let parts: [Part]

    package init(templates: [(name: String, text: String)], parts: [Part]) {
        self.templates = templates
        self.parts = parts
    }

    /// Lends what `loupe-template` reads: a line of JSON with the templates, and one for each part.
    package func forEachLine(_ body: (String) throws -> Void) rethrows {
        var members = JSONObject()
        for template in templates { _ = members.append(.string(template.text), forKey: template.name) }
        let first: JSONValue = ["templates": .object(members)]
        try body(first.line)
        for part in parts {
            let line: JSONValue = ["template": .string(part.template), "values": part.values]
            try body(line.line)
        }
    }
}
