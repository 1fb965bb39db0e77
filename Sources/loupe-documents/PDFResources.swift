/// The dictionaries of the forms and pictures that a page of a PDF uses.
///
/// Cairo 1.16 names a form once for each use, which readers accept but `qpdf --check` warns about.
enum PDFResources {
    /// The file with every name but the first of a kind replaced by spaces, so that nothing moves.
    static func withoutDuplicates(_ file: [UInt8]) -> [UInt8] {
        var file = file
        let start = Array("/XObject <<".utf8)
        var position = 0
        while let next = file.firstIndex(of: UInt8(ascii: "/"), from: position) {
            position = next + 1
            guard file[next...].starts(with: start), let entries = entries(in: file, from: next + start.count) else {
                continue
            }
            var seen = Set<ArraySlice<UInt8>>()
            for entry in entries where !seen.insert(file[entry]).inserted {
                for index in entry { file[index] = UInt8(ascii: " ") }
            }
        }
        return file
    }

    /// The ranges of `/x6 6 0 R` and its like up to `>>`; nil where there is anything else.
    private static func entries(in file: [UInt8], from start: Int) -> [Range<Int>]? {
        var entries: [Range<Int>] = []
        var position = start
        while position < file.count {
            if file[position] == UInt8(ascii: " ") {
                position += 1
            } else if file[position...].starts(with: ">>".utf8) {
                return entries
            } else {
                guard file[position] == UInt8(ascii: "/"),
                    let end = file.firstIndex(of: UInt8(ascii: "R"), from: position), end - position < 40,
                    file[position + 1..<end].allSatisfy({ $0 == 0x20 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "x") })
                else { return nil }
                entries.append(position..<end + 1)
                position = end + 1
            }
        }
        return nil
    }
}

extension [UInt8] {
    fileprivate func firstIndex(of byte: UInt8, from start: Int) -> Int? { self[start...].firstIndex(of: byte) }
}
