import LoupeJSON
import LoupeScene
import Mustache

/// Mustache templates that can use each other as partials.
package struct TemplateSet {
    private var library = MustacheLibrary()

    /// - Throws: `TemplateError` where a template is not Mustache's.
    package init(_ templates: [(name: String, text: String)]) throws(TemplateError) {
        StrictHTML.register()
        for (name, text) in templates {
            do {
                try library.register(StrictHTML.pragma + text, named: name)
            } catch {
                throw TemplateError("the template '\(name)': \(error)")
            }
        }
    }

    /// A template's text with values in it, escaped for HTML except between three braces.
    /// - Throws: `TemplateError` where there is no such template.
    package func render(_ name: String, _ values: JSONValue) throws(TemplateError) -> String {
        guard let text = library.render(values.templateValue, withTemplate: name) else {
            throw TemplateError("there is no template '\(name)'")
        }
        return text
    }
}

extension JSONValue {
    /// As Mustache looks it up: null is nothing.
    fileprivate var templateValue: Any {
        switch self {
        case .null: false
        case .bool(let bool): bool
        case .number: line
        case .string(let string): string
        case .array(let elements): elements.map(\.templateValue)
        case .object(let object):
            [String: Any](uniqueKeysWithValues: object.members.map { ($0.key, $0.value.templateValue) })
        }
    }
}
