/// An object of a PDF: its number, and its dictionary after `<< `.
typealias PDFObject = (number: Int, text: String)

/// The table of a PDF's objects, as cairo writes it at the end. Objects are found by it alone: the file holds bytes of pages
/// that others made, such as JPEGs, which may look like objects.
struct PDFTable {
    /// Where the table begins.
    let start: Int
    /// The trailer's dictionary after `<< /Size `.
    let trailer: String
    /// One more than the largest number of an object.
    let size: Int
    /// Where the entries begin, of 20 bytes each, and where `startxref` stands behind them.
    let entries, foot: Int
    private let file: [UInt8]

    /// Nil where the file has another shape.
    init?(of file: [UInt8]) {
        guard let foot = file.last(Array("startxref\n".utf8)), let start = Self.number(file, at: foot + 10),
            start < foot, let line = Self.after("xref\n0 ", file, at: start), let size = Self.number(file, at: line),
            let entries = Self.after("xref\n0 \(size)\n", file, at: start), size <= (foot - entries) / 20,
            let trailer = Self.after("trailer\n<< /Size ", file, at: entries + 20 * size), trailer <= foot
        else { return nil }
        (self.file, self.start, self.size, self.entries, self.foot) = (file, start, size, entries, foot)
        self.trailer = String(decoding: file[trailer..<foot], as: UTF8.self)
    }

    /// The object to which a dictionary refers after a key.
    func object(_ text: String, _ key: String) -> PDFObject? {
        guard let place = text.firstRange(of: key)?.upperBound,
            let number = Int(text[place...].prefix { $0.isWholeNumber }), let offset = offset(of: number),
            let first = Self.after("\(number) 0 obj\n<< ", file, at: offset),
            let end = file[first...].firstRange(of: "endobj\n".utf8)
        else { return nil }
        return (number, String(decoding: file[first..<end.lowerBound], as: UTF8.self))
    }

    /// Where an object begins; nil for one that the table does not have.
    func offset(of number: Int) -> Int? {
        0..<size ~= number ? Self.number(file, at: entries + 20 * number) : nil
    }

    /// The place after some text, where that stands at a place.
    static func after(_ text: String, _ file: [UInt8], at place: Int) -> Int? {
        guard place >= 0, place <= file.count, file[place...].starts(with: text.utf8) else { return nil }
        return place + text.utf8.count
    }

    /// A number of at most ten digits.
    static func number(_ file: [UInt8], at place: Int) -> Int? {
        guard place >= 0, place <= file.count else { return nil }
        return Int(String(decoding: file[place...].prefix(10).prefix { 0x30...0x39 ~= $0 }, as: UTF8.self))
    }
}
