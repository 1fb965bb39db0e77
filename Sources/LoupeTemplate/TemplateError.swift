/// Why a page could not be made, in one sentence.
package struct TemplateError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
