import Testing

@testable import LoupeBase
@testable import LoupeReport

/// A page's text, taken apart as a browser takes it apart.
struct PageText {
    let whole: String
    /// What stands before and after the data.
    let before: Substring
    let after: Substring
    /// The text of the data's element.
    let data: Substring

    init(_ page: HTMLPage) throws {
        var text = ""
        page.forEachPart { text += $0 }
        whole = text
        let start = try #require(text.utf8.firstRange(of: "<script type=\"application/json\" id=\"data\">".utf8))
        // The first end tag ends the element, wherever it stands.
        let end = try #require(text.utf8[start.upperBound...].firstRange(of: "</script".utf8))
        (before, data, after) = (
            text[..<start.upperBound], text[start.upperBound..<end.lowerBound], text[end.lowerBound...]
        )
    }

    /// The data as the script reads it.
    func json() throws -> JSONReader { try JSONReader(parsing: Array(data.utf8)) }
}
