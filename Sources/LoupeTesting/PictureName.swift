/// The name of a picture, which becomes part of paths: parts between slashes, none of which is empty or starts with a dot.
struct PictureName: Hashable, Sendable, CustomStringConvertible {
    let description: String

    init(_ text: String) throws(PictureNameError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }), !text.utf8.contains(0) else {
            throw PictureNameError(text: text)
        }
        description = text
    }
}

struct PictureNameError: Error, CustomStringConvertible {
    let text: String

    var description: String {
        "'\(text)' is no name for a picture; parts between slashes are needed, none empty or starting with a dot"
    }
}
