import LoupeScene

/// The text of a PDF or SVG for readers who can't see it: the author's, or else a sentence about the scene.
enum AlternativeText {
    /// Adds the text to a file that ``VectorWriter`` wrote. A file of another shape stays as it is.
    static func add(_ scene: Scene, to file: inout [UInt8], _ format: VectorFormat) {
        switch format {
        case .svg: addElements(of: scene, to: &file)
        case .pdf: addUpdate(scene.alternativeText, to: &file)
        }
    }

    /// The role of the root, and `title` and `desc` as its first elements.
    private static func addElements(of scene: Scene, to file: inout [UInt8]) {
        guard let name = file.firstRange(of: "<svg".utf8),
            let end = file[name.upperBound...].firstIndex(of: UInt8(ascii: ">"))
        else { return }
        func element(_ name: String, _ text: String?) -> String {
            text.map { "\n<\(name)>\($0.xmlEscaped)</\(name)>" } ?? ""
        }
        let more = scene.alt == nil || scene.loupes.isEmpty ? nil : scene.spoken
        let elements = element("title", scene.alternativeText) + element("desc", more)
        file.insert(contentsOf: elements.utf8, at: end + 1)
        file.insert(contentsOf: " role=\"img\"".utf8, at: name.upperBound)
    }

    /// An incremental update: the page once more, its content within a marked figure, the catalog, and the elements of a
    /// tagged PDF. Cairo 1.16 refuses tags around some drawings.
    private static func addUpdate(_ text: String, to file: inout [UInt8]) {
        guard let table = PDFTable(of: file), let catalog = table.object(table.trailer, "/Root "),
            let pages = table.object(catalog.text, "/Pages "), let page = table.object(pages.text, "/Kids [ "),
            let updates = objects(text, page, catalog, from: table.size)
        else { return }
        let (former, size) = (table.start, table.size)
        let roots = table.trailer.drop { $0.isWholeNumber }
        var references = "xref\n"
        for (number, text) in updates {
            let offset = String(file.count)
            references += "\(number) 1\n\(String(repeating: "0", count: 10 - offset.count))\(offset) 00000 n \n"
            file += "\(number) 0 obj\n\(text)endobj\n".utf8
        }
        let last = file.count
        file += "\(references)trailer\n<< /Prev \(former) /Size \(size + 5)\(roots)startxref\n\(last)\n%%EOF\n".utf8
    }

    /// The objects of the update by their numbers, of which new ones count from `first`.
    private static func objects(
        _ text: String, _ page: PDFObject, _ catalog: PDFObject, from first: Int
    ) -> [(number: Int, text: String)]? {
        guard let start = page.text.firstRange(of: "/Contents ")?.upperBound,
            let end = page.text[start...].firstRange(of: " R")?.upperBound
        else { return nil }
        func stream(_ text: String) -> String { "<< /Length \(text.utf8.count) >>\nstream\n\(text)\nendstream\n" }
        func element(_ type: String, in parent: Int, _ rest: String) -> String {
            "<< /Type /StructElem /S /\(type) /P \(parent) 0 R \(rest) >>\n"
        }
        let digits = text.utf16.map {
            String(repeating: "0", count: $0.leadingZeroBitCount / 4) + String($0, radix: 16)
        }
        let (root, document, figure) = (first + 2, first + 3, first + 4)
        let contents = "[ \(first) 0 R \(page.text[start..<end]) \(first + 1) 0 R ]"
        let parents = "/ParentTree << /Nums [ 0 [ \(figure) 0 R ] ] >>"
        return [
            (first, stream("/Figure << /MCID 0 >> BDC")), (first + 1, stream("EMC")),
            (root, "<< /Type /StructTreeRoot /K [ \(document) 0 R ] \(parents) >>\n"),
            (document, element("Document", in: root, "/K [ \(figure) 0 R ]")),
            (figure, element("Figure", in: document, "/Pg \(page.number) 0 R /K 0 /Alt <feff\(digits.joined())>")),
            (page.number, "<< /StructParents 0 \(page.text[..<start])\(contents)\(page.text[end...])"),
            (catalog.number, "<< /Lang (en) /MarkInfo << /Marked true >> /StructTreeRoot \(root) 0 R \(catalog.text)"),
        ]
    }
}
