import LoupeImaging

/// The streams of a PDF that cairo wrote, which the helper process packs lightly.
///
/// In forms, shapes that are drawn often begin at the origin and are moved to their places. So they have the same text, which
/// deflate makes short.
enum PDFStreams {
    /// Larger contents stay as they are: pictures of more than 89 megapixels.
    private static let mostBytes = 256 << 20

    /// The file with smaller streams, or as it is where it has another structure than cairo's.
    static func packed(_ file: [UInt8]) -> [UInt8] {
        guard let table = PDFTable(of: file), table.size > 1 else { return file }
        var changes: [(range: Range<Int>, bytes: [UInt8])] = []
        for number in 1..<table.size {
            guard let old = packedStream(number, in: file, table),
                let content = PNGInflater.inflated(file[old.bytes], mostBytes: mostBytes),
                let new = PNGCompressor.zlib(old.isForm ? movingShapes(content) : content, level: 6),
                new.count < old.bytes.count
            else { continue }
            let digits = String(new.count)
            let padding = String(repeating: " ", count: old.length.count - digits.utf8.count)
            changes += [(old.bytes, new), (old.length, Array((digits + padding).utf8))]
        }
        if changes.isEmpty { return file }
        changes.sort { $0.range.lowerBound < $1.range.lowerBound }
        func moved(_ place: Int) -> Int {
            changes.prefix { $0.range.lowerBound < place }.reduce(place) { $0 + $1.bytes.count - $1.range.count }
        }
        var result: [UInt8] = []
        var kept = 0
        for change in changes {
            result += file[kept..<change.range.lowerBound] + change.bytes
            kept = change.range.upperBound
        }
        result += file[kept..<table.foot] + Array("startxref\n\(moved(table.start))\n%%EOF\n".utf8)
        for number in 1..<table.size {
            let digits = table.offset(of: number).map { String(moved($0)) } ?? ""
            let start = moved(table.entries) + 20 * number
            let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 10 - digits.utf8.count)
            result.replaceSubrange(start..<start + 10, with: zeros + digits.utf8)
        }
        return result
    }

    /// Where a compressed stream lies, and the digits of its length, an object of its own.
    private static func packedStream(
        _ number: Int, in file: [UInt8], _ table: PDFTable
    ) -> (bytes: Range<Int>, length: Range<Int>, isForm: Bool)? {
        guard let offset = table.offset(of: number),
            let start = PDFTable.after("\(number) 0 obj\n<< /Length ", file, at: offset),
            let object = PDFTable.number(file, at: start),
            let stream = file[start...].prefix(1000).firstRange(of: "stream\n".utf8)?.upperBound,
            file[start..<stream].firstRange(of: "/Filter /FlateDecode".utf8) != nil,
            let digits = table.offset(of: object).flatMap({ PDFTable.after("\(object) 0 obj\n   ", file, at: $0) }),
            let count = PDFTable.number(file, at: digits), count <= file.count - stream
        else { return nil }
        let isForm = file[start..<stream].firstRange(of: "/Subtype /Form".utf8) != nil
        return (stream..<stream + count, digits..<digits + String(count).utf8.count, isForm)
    }

    /// The content with such shapes moved.
    private static func movingShapes(_ content: [UInt8]) -> [UInt8] {
        let drawings = shapes(in: content)
        var texts: [Int: String] = [:]
        var result: [UInt8] = []
        var kept = 0
        for drawing in drawings.often {
            let path = texts[drawing.shape] ?? text(of: drawing.shape, in: drawings)
            texts[drawing.shape] = path
            result += content[kept..<drawing.range.lowerBound]
            result +=
                "q 1 0 0 1 \(RepeatedShapes.rounded(drawing.x)) \(RepeatedShapes.rounded(drawing.y)) cm \(path) Q".utf8
            kept = drawing.range.upperBound
        }
        return result + content[kept...]
    }

    /// A path that begins at the origin, and how it is painted.
    private static func text(of shape: Int, in shapes: RepeatedShapes) -> String {
        var numbers = shapes.points[shape][...]
        var words: [String] = []
        for code in shapes.kinds[shape] {
            let count = code == UInt8(ascii: "c") ? 6 : code == UInt8(ascii: "m") || code == UInt8(ascii: "l") ? 2 : 0
            words += numbers.prefix(count).map(RepeatedShapes.rounded)
            words.append(String(Unicode.Scalar(code)))
            numbers = numbers.dropFirst(count)
        }
        return words.joined(separator: " ")
    }

    /// The paths of lines and curves that are filled or stroked.
    private static func shapes(in content: [UInt8]) -> RepeatedShapes {
        var shapes = RepeatedShapes()
        /// The path's operators and coordinates, and where it begins; no operators where there is none.
        var (operators, numbers, start) = ([UInt8](), [Double](), 0)
        /// The numbers since the last operator, and where they begin.
        var (operands, first) = ([Double](), 0)
        var rest = content[...]
        while let next = rest.firstIndex(where: { !isSpace($0) }) {
            let token = rest[next...].prefix { !isSpace($0) }
            rest = rest[token.endIndex...]
            if token.contains(UInt8(ascii: "(")) {
                // A text, which may look like a path.
                guard let end = endOfText(content[next...]) else { return shapes }
                rest = content[end...]
            }
            if let number = RepeatedShapes.decimal(token) {
                if operands.isEmpty { first = next }
                operands.append(number)
                continue
            }
            let code = token.count == 1 ? token[next] : 0
            switch (code, operands.count) {
            case (UInt8(ascii: "m"), 2), (UInt8(ascii: "l"), 2), (UInt8(ascii: "c"), 6), (UInt8(ascii: "h"), 0):
                if operators.isEmpty { (numbers, start) = ([], first) }
                operators.append(code)
                numbers += operands
            default:
                if operators.first == UInt8(ascii: "m"), operands.isEmpty, paints.contains(code) {
                    shapes.add(
                        operators + [code], numbers, unit: 1, start..<token.endIndex, x: numbers[0], y: numbers[1])
                }
                // A path with a rectangle has an operator that is none of these.
                operators = token.elementsEqual("re".utf8) ? [0] : []
            }
            operands = []
        }
        return shapes
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }

    /// The operators that paint a path, of one letter: cairo has no other but for even-odd fillings.
    private static let paints = Array("fSsBb".utf8)

    /// The place after a text in parentheses, in which a backslash stands before some of the characters.
    private static func endOfText(_ content: ArraySlice<UInt8>) -> Int? {
        guard var index = content.firstIndex(of: UInt8(ascii: "(")) else { return nil }
        while index < content.endIndex, content[index] != UInt8(ascii: ")") {
            index += content[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index < content.endIndex ? index + 1 : nil
    }
}
