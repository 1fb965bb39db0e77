/// A path that may name a page of a file, such as `figure.pdf#3`.
///
/// A file of exactly that name comes first. Otherwise `#` and a number from 1 to 999999 at the end are the page's, where
/// there is a file of the rest of the name.
public struct PagePath: Hashable, Sendable {
    /// The file to open.
    public let file: Path
    /// The page's number, from 1; nil where the path names none.
    public let page: Int?

    /// Looks which files there are.
    public init(_ path: Path) {
        let digits = path.bytes.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        let rest = path.bytes.dropLast(digits)
        guard 1...6 ~= digits, rest.last == UInt8(ascii: "#"), rest.count > 1, !path.exists,
            let page = Int(String(decoding: path.bytes.suffix(digits), as: UTF8.self)), page > 0
        else {
            (file, self.page) = (path, nil)
            return
        }
        let other = Path(bytes: rest.dropLast())
        (file, self.page) = other.exists ? (other, page) : (path, nil)
    }

    /// `#` and the page's number; nothing where the path names none.
    public var suffix: String { page.map { "#\($0)" } ?? "" }
}
