import LoupePage
import Mustache

/// Escapes as `htmlEscaped` does. The library's own goes by Swift's characters and lets a quote with an accent pass.
struct StrictHTML: MustacheContentType {
    /// The pragma that a template has to start with; partials do not take it from the template that uses them.
    static let pragma = "{{% CONTENT_TYPE:\(name)}}"
    private static let name = "STRICT_HTML"

    static func register() {
        MustacheContentTypes.register(StrictHTML(), named: name)
    }

    func escapeText(_ text: String) -> String { text.htmlEscaped }
}
