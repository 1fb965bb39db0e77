/// A path that may name a page of a file, such as `figure.pdf#3`.
///
/// A file of exactly that name comes first. Otherwise `#` and a number from 1 to 999999 at the end are the page's, where
/// there is a file of the rest of the name.
package struct PagePath: Hashable, Sendable {
    /// The file to open.
    package let file: Path
    /// The page's number, from 1; nil where the path names none.
    package let page: Int?

    /// Looks which files there are.
    package init(_ path: Path) {
        if let (rest, page) = Self.parts(of: path), rest.exists {
            (file, self.page) = (rest, page)
        } else {
            (file, page) = (path, nil)
        }
    }

    /// The files to which a path may lead once other files are written: more than one where there is none yet.
    static func files(of path: Path) -> [Path] { [path] + (parts(of: path).map { [$0.file] } ?? []) }

    /// The file and the page where a path says both and there is no file of exactly that name.
    private static func parts(of path: Path) -> (file: Path, page: Int)? {
        let digits = path.bytes.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        let rest = path.bytes.dropLast(digits)
        guard 1...6 ~= digits, rest.last == UInt8(ascii: "#"), rest.count > 1, !path.exists,
            let page = Int(String(decoding: path.bytes.suffix(digits), as: UTF8.self)), page > 0
        else { return nil }
        return (Path(bytes: rest.dropLast()), page)
    }

    /// `#` and the page's number; nothing where the path names none.
    package var suffix: String { page.map { "#\($0)" } ?? "" }
}
