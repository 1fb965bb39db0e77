import LoupeBase
import LoupeSystem
import Synchronization

/// The drawing of SVGs, PDFs and text, for all documents.
///
/// A process of its own draws them, which can open no file, reach no network and start nothing, and whose memory and time
/// are limited. Its program is `loupe-documents`: the one that the environment variable `LOUPE_DOCUMENTS` names, or else the
/// one beside the running program.
public enum SVGDrawing {
    private static let seconds = Mutex(defaultSeconds)

    /// The default of ``secondsAllowed``.
    public static let defaultSeconds = 20.0

    /// How long it may take to read a document, and to draw it once, in seconds above 0. The default
    /// is 20.
    public static var secondsAllowed: Double {
        get { seconds.withLock { $0 } }
        set { seconds.withLock { $0 = newValue } }
    }

    /// Starts a helper process that will soon be needed, so that it starts while this process does other work.
    public static func warmUp() { pool.warmUp() }

    // Poppler's caches and the fonts of PDFs change nothing in an SVG, and no document what another kind looks like.
    private static let pool = HelperPool()
    private static let pdfPool = HelperPool()

    /// The documents that are drawn.
    package enum Kind: Hashable, Sendable {
        /// By librsvg.
        case svg
        /// A page of a PDF, counted from 1, by poppler.
        case pdf(page: Int)

        var format: ImageFile.Format { self == .svg ? .svg : .pdf }

        /// What a sentence about the file calls it.
        fileprivate var subject: String { if case .pdf(let page) = self { "page \(page)" } else { "it" } }
    }

    /// The limits of a request: a GiB, and some bytes more.
    package static func limits(beside bytes: Int) -> HelperLimits {
        HelperLimits(seconds: secondsAllowed, memory: min(1 << 30, max(256 << 20, Memory.limit)) + bytes)
    }

    static func open(
        _ bytes: [UInt8], as kind: Kind
    ) throws(HelperFailure) -> (RemoteDocument, (width: Double, height: Double), pages: Int) {
        let document = RemoteDocument(bytes, kind, in: (kind == .svg ? pool : pdfPool).member())
        let (size, pages) = try document.read()
        return (document, size, pages)
    }
}

extension HelperFailure {
    /// The error about a document.
    /// - Parameter task: what the process did, as "drawing".
    func error(_ task: String, _ kind: SVGDrawing.Kind, name: String) -> ImageError {
        if let fileError { return .unwritable(fileError) }
        guard case .refused(let refusal) = self else {
            let reason = clause("\(task) \(kind.subject)")
            return isOfInstallation ? .noHelper(name: name, reason: reason) : .helperFailed(name: name, reason: reason)
        }
        switch refusal.reason {
        case .damaged: return .damaged(name: name, format: kind.format, reason: refusal.line)
        case .missingPage, .missingLibrary: return .helperFailed(name: name, reason: refusal.line)
        case .external: return .externalReference(name: name, reference: refusal.line)
        case .undrawable, .outOfMemory: return .undrawable(name: name, reason: refusal.line)
        case .invalidRequest: return .undrawable(name: name, reason: clause("\(task) \(kind.subject)"))
        }
    }
}

/// A document in a helper process, which reads it again where the process was replaced.
final class RemoteDocument: Sendable {
    let bytes: [UInt8]
    private let kind: SVGDrawing.Kind
    private let number: UInt32
    private let member: HelperPool.Member
    /// The process that has read it; 0 where none has.
    private let generation = Mutex(0)

    private let said = Mutex<String?>(nil)

    /// What was said of the document when it was drawn, in one line; nil where that was nothing.
    var complaint: String? {
        said.withLock { $0.map { String($0.unicodeScalars.map { $0.value < 32 ? " " : Character($0) }) } }
    }

    /// Documents that are gone, which their processes have not been told yet, by process.
    private static let closed = Mutex<[ObjectIdentifier: [UInt32]]>([:])
    private static let count = Atomic<UInt32>(0)

    init(_ bytes: [UInt8], _ kind: SVGDrawing.Kind, in member: HelperPool.Member) {
        (self.bytes, self.kind, self.member) = (bytes, kind, member)
        number = Self.count.add(1, ordering: .relaxed).newValue
    }

    deinit { Self.closed.withLock { $0[ObjectIdentifier(member), default: []].append(number) } }

    /// The size in CSS pixels, 0 where it has none, and the number of the file's pages.
    func read() throws(HelperFailure) -> (size: (width: Double, height: Double), pages: Int) {
        let reply = try use { process, generation throws(HelperFailure) in try self.open(in: process, generation) }
        var reader = MessageReader(reply)
        let (width, height) = (reader.double(), reader.double())
        let pages = Int(reader.number(UInt32.self))
        guard width.isFinite, height.isFinite, pages > 0, reader.isWhole else { throw .invalidAnswer }
        return ((width, height), pages)
    }

    func draw(
        _ place: DrawingPlace, finishing finish: (UnsafeRawBufferPointer) -> [UInt8]
    ) throws(HelperFailure) -> [UInt8] {
        let shared = place.columns.count * place.rows.count * 4
        var request = Self.request(.draw, number)
        place.write(to: &request)
        // Four more surfaces of the drawing's size, for filters, masks and groups.
        let limits = SVGDrawing.limits(beside: 4 * shared)
        var pixels: [UInt8] = []
        let answer = try useOpened { process throws(HelperFailure) in
            try process.ask(request.bytes, shared: shared, limits: limits) { pixels = finish($0) }
        }
        var reader = MessageReader(answer)
        let text = reader.text()
        if !text.isEmpty { said.withLock { $0 = text } }
        return pixels
    }

    func facts() throws(HelperFailure) -> PDFFacts {
        let answer = try useOpened { process throws(HelperFailure) in
            try process.ask(Self.request(.facts, self.number).bytes, limits: SVGDrawing.limits(beside: 0))
        }
        guard let facts = PDFFacts(answer) else { throw .invalidAnswer }
        return facts
    }

    /// Where texts and elements lie, on a page of this size.
    func names(_ names: [String], on size: ImageSize) throws(HelperFailure) -> PageNames {
        var request = Self.request(.names, number)
        request.write(UInt32(names.count))
        for name in names { request.write(block: name.utf8) }
        let answer = try useOpened { process throws(HelperFailure) in
            try process.ask(request.bytes, limits: SVGDrawing.limits(beside: 0))
        }
        var (found, reader) = (PageNames(), MessageReader(answer))
        for name in names {
            let places = reader.list { (box: $0.box(on: size), room: $0.box(on: size)) }
            (found.boxes[name], found.rooms[name]) = (places.map(\.box), places.map(\.room))
        }
        found.text = reader.text()
        if kind == .svg { found.ids = bytes.ids }
        guard reader.isWhole else { throw .invalidAnswer }
        return found
    }

    /// Asks a process that has read the document.
    private func useOpened(
        _ body: (HelperProcess) throws(HelperFailure) -> [UInt8]
    ) throws(HelperFailure) -> [UInt8] {
        try use { process, generation throws(HelperFailure) in
            if self.generation.withLock({ $0 != generation }) { _ = try self.open(in: process, generation) }
            return try body(process)
        }
    }

    private func open(in process: HelperProcess, _ generation: Int) throws(HelperFailure) -> [UInt8] {
        var request = Self.request(kind == .svg ? .openSVG : .openPDF, number, capacity: bytes.count + 16)
        if case .pdf(let page) = kind { request.write(UInt32(page)) }
        request.write(rest: bytes)
        let reply = try process.ask(request.bytes, limits: SVGDrawing.limits(beside: 0))
        self.generation.withLock { $0 = generation }
        return reply
    }

    /// The start of a request about a document.
    private static func request(_ task: HelperTask, _ number: UInt32, capacity: Int = 0) -> MessageWriter {
        var writer = MessageWriter(capacity: capacity)
        writer.write(task.rawValue)
        writer.write(number)
        return writer
    }

    /// Asks the process, after it has forgotten the documents that are gone.
    private func use(
        _ body: (HelperProcess, Int) throws(HelperFailure) -> [UInt8]
    ) throws(HelperFailure) -> [UInt8] {
        try member.use { process, generation throws(HelperFailure) in
            let gone = Self.closed.withLock { $0.removeValue(forKey: ObjectIdentifier(self.member)) } ?? []
            for number in gone {
                _ = try process.ask(Self.request(.close, number).bytes, limits: SVGDrawing.limits(beside: 0))
            }
            return try body(process, generation)
        }
    }
}

extension MessageReader {
    /// A box by its edges, which are parts of a page's size, as far as it lies on the page; else an empty one.
    fileprivate mutating func box(on size: ImageSize) -> Rect {
        let (left, top, right, bottom) = (double(), double(), double(), double())
        let isOnPage = left <= 1 && top <= 1 && right >= max(0, left) && bottom >= max(0, top)
        guard isOnPage else { return Rect(x: 0, y: 0, width: 0, height: 0) }
        let (x, y, width, height) = (max(0, left), max(0, top), Double(size.width), Double(size.height))
        return Rect(
            x: x * width, y: y * height, width: (min(1, right) - x) * width, height: (min(1, bottom) - y) * height)
    }
}

extension [UInt8] {
    /// The values of attributes `id` of XML, as they are written.
    fileprivate var ids: [String] {
        let parts = split { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        return zip(parts, parts.dropFirst()).compactMap { start, value in
            let isID = start.suffix(3).elementsEqual("id=".utf8) && " \t\r\n".utf8.contains(start.dropLast(3).last ?? 0)
            return isID ? String(decoding: value, as: UTF8.self) : nil
        }
    }
}
