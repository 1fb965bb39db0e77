import LoupeSandbox

/// Reads and draws SVGs: what the helper process does, and on request this process itself.
package struct SVGService: HelperService {
    private let library: RSVGLibrary
    private var documents: [UInt32: Drawable] = [:]

    /// A document that was read.
    enum Drawable {
        case svg(SVGHandle)
        case pdf(PDFHandle)

        /// In CSS pixels; 0 where it has none.
        var size: (width: Double, height: Double) {
            switch self {
            case .svg(let handle): handle.size
            case .pdf(let handle): handle.size
            }
        }
    }

    /// Loads librsvg, and what fontconfig knows of the fonts.
    package init() throws(HelperRefusal) {
        try self.init(inThisProcess: ())
        library.catchWarnings()
    }

    /// Leaves the process as it is.
    package init(inThisProcess: Void) throws(HelperRefusal) {
        guard let library = RSVGLibrary.shared else { throw HelperRefusal(.noLibrary, "") }
        self.library = library
    }

    /// Fonts, and what the libraries read when they need it: character sets, loaders of images, types of files.
    package var readablePaths: [String] {
        FontFolders.system + FontFolders.paths(library.library)
    }

    package mutating func answer(
        _ bytes: [UInt8], memory: UnsafeMutableRawBufferPointer
    ) throws(HelperRefusal) -> [UInt8] {
        var answer = MessageWriter()
        switch SVGRequest(bytes) {
        case .open(let number, let kind, let document):
            let handle = try read(Array(document), as: kind)
            documents[number] = handle
            answer.write(handle.size.width)
            answer.write(handle.size.height)
        case .draw(let number, let placement):
            guard let document = documents[number] else { throw HelperRefusal(.invalidRequest, "") }
            try draw(document, placement, into: memory)
        case .facts(let number):
            guard case .pdf(let handle) = documents[number] else { throw HelperRefusal(.invalidRequest, "") }
            answer.write(rest: try facts(of: handle).bytes)
        case .close(let number): documents[number] = nil
        case nil: throw HelperRefusal(.invalidRequest, "")
        }
        return answer.bytes
    }

    /// What a page consists of.
    func facts(of handle: PDFHandle) throws(HelperRefusal) -> PDFFacts {
        guard let facts = handle.facts() else { throw HelperRefusal(.noLibrary, "") }
        return facts
    }

    /// Reads a document of either kind.
    func read(_ bytes: [UInt8], as kind: SVGDrawing.Kind) throws(HelperRefusal) -> Drawable {
        switch kind {
        case .svg: .svg(try open(bytes))
        case .pdf(let page): .pdf(try open(bytes, page: page))
        }
    }

    /// Reads a page of a PDF.
    /// - Parameter page: from 1.
    package func open(_ bytes: [UInt8], page: Int) throws(HelperRefusal) -> PDFHandle {
        guard let poppler = PopplerLibrary.shared else { throw HelperRefusal(.noLibrary, "") }
        do {
            return try PDFHandle(bytes, page: page, library, poppler)
        } catch {
            throw HelperRefusal(.damaged, error.reason)
        }
    }

    /// Parses a document that refers to nothing outside itself.
    package func open(_ bytes: [UInt8]) throws(HelperRefusal) -> SVGHandle {
        // Before librsvg sees the document.
        let check = SVGReferences(library).check(bytes)
        if case .refused(let what) = check { throw HelperRefusal(.external, what) }
        if case .notDrawn(let reason) = check { throw HelperRefusal(.undrawable, reason) }
        let handle: SVGHandle
        do {
            handle = try SVGHandle(bytes, library)
        } catch {
            throw HelperRefusal(.damaged, error.reason)
        }
        if case .unreadable(let reason) = check { throw HelperRefusal(.damaged, reason) }
        return handle
    }

    /// Draws premultiplied words of alpha, red, green and blue into memory that is 0.
    func draw(
        _ document: Drawable, _ placement: SVGPlacement, into memory: UnsafeMutableRawBufferPointer
    ) throws(HelperRefusal) {
        guard memory.count == placement.columns.count * placement.rows.count * 4 else {
            throw HelperRefusal(.invalidRequest, "")
        }
        let reason: String
        switch document {
        case .svg(let handle):
            do throws(SVGHandle.Failure) {
                try handle.draw(placement, into: memory)
                return
            } catch {
                reason = error.reason
            }
        case .pdf(let handle):
            do throws(PDFHandle.Failure) {
                try handle.draw(placement, into: memory)
                return
            } catch {
                reason = error.reason
            }
        }
        let isOfMemory = reason.contains("NoMemory") || reason.contains("out of memory")
        throw isOfMemory
            ? HelperRefusal(code: HelperProcess.outOfMemoryCode, text: "") : HelperRefusal(.undrawable, reason)
    }
}

/// A request to ``SVGService``, about documents by numbers that the asking process chooses.
enum SVGRequest {
    /// Its answer is the document's width and height in CSS pixels.
    case open(UInt32, SVGDrawing.Kind, ArraySlice<UInt8>)
    /// Its answer is the shared memory.
    case draw(UInt32, SVGPlacement)
    case close(UInt32)
    /// Asks what a page of a PDF consists of. Its answer is ``PDFFacts``.
    case facts(UInt32)

    /// Nil for what ``bytes`` never gives.
    init?(_ bytes: [UInt8]) {
        var reader = MessageReader(bytes)
        guard let kind = reader.number(UInt8.self), let document = reader.number(UInt32.self) else { return nil }
        switch kind {
        case 1: self = .open(document, .svg, reader.takeRest())
        case 4:
            guard let page = reader.number(UInt32.self), 1...999_999 ~= page else { return nil }
            self = .open(document, .pdf(page: Int(page)), reader.takeRest())
        case 2:
            let rect = (0..<4).compactMap { _ in reader.double() }
            let sides = (0..<4).compactMap { _ in reader.number(Int64.self).map { Int($0) } }
            guard rect.count == 4, rect.allSatisfy(\.isFinite), sides.count == 4, sides[0] < sides[1],
                sides[2] < sides[3],
                sides.allSatisfy({ (-1 << 40...1 << 40).contains($0) }), reader.takeRest().isEmpty
            else { return nil }
            self = .draw(
                document,
                SVGPlacement(
                    x: rect[0], y: rect[1], width: rect[2], height: rect[3], columns: sides[0]..<sides[1],
                    rows: sides[2]..<sides[3]))
        case 3 where reader.takeRest().isEmpty: self = .close(document)
        case 5 where reader.takeRest().isEmpty: self = .facts(document)
        default: return nil
        }
    }

    var bytes: [UInt8] {
        var writer = MessageWriter()
        switch self {
        case .open(let document, let kind, let bytes):
            writer.write(UInt8(kind == .svg ? 1 : 4))
            writer.write(document)
            if case .pdf(let page) = kind { writer.write(UInt32(page)) }
            writer.write(rest: bytes)
        case .draw(let document, let placement):
            writer.write(UInt8(2))
            writer.write(document)
            for length in [placement.x, placement.y, placement.width, placement.height] { writer.write(length) }
            for side in [placement.columns, placement.rows] {
                writer.write(Int64(side.lowerBound))
                writer.write(Int64(side.upperBound))
            }
        case .close(let document):
            writer.write(UInt8(3))
            writer.write(document)
        case .facts(let document):
            writer.write(UInt8(5))
            writer.write(document)
        }
        return writer.bytes
    }
}

/// Why ``SVGService`` refuses a request. The text beside it is the library's reason, or what the document refers to.
enum SVGRefusal: UInt8 {
    case noLibrary = 1
    case damaged, external, undrawable, invalidRequest
}

extension HelperRefusal {
    init(_ refusal: SVGRefusal, _ text: String) { self.init(code: refusal.rawValue, text: text) }
}
