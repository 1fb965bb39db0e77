/// Scripts as pages hold them.
enum CompactScript {
    /// A script without the lines that are comments, without empty lines and indentation.
    ///
    /// A comment counts that begins and ends a line, or some lines. Lines stay lines, so no statement changes. In strings that
    /// go over lines, which our scripts have for style sheets only, the same is left out.
    static func of(_ script: String) -> String {
        var lines: [Substring] = []
        var isInComment = false
        for line in script.split(separator: "\n") {
            let text = line.drop { $0 == " " }
            if isInComment {
                isInComment = !text.hasSuffix("*/")
            } else if text.hasPrefix("/*"), !text.contains("*/") {
                isInComment = true
            } else if !text.isEmpty, !text.hasPrefix("//"), !(text.hasPrefix("/*") && text.hasSuffix("*/")) {
                lines.append(text)
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
