import LoupeFiles
import LoupeSandbox
import Synchronization

/// How SVGs are drawn in this process, for all documents.
public enum SVGDrawing {
    /// Which process reads and draws documents.
    public enum Place: Hashable, Sendable {
        /// A process of its own, which can open no file, reach no network and start nothing, and whose memory and time are
        /// limited. It is the program `loupe-render`: the running program, where that is it; or else the one that the
        /// environment variable `LOUPE_RENDER` names; or else the one beside the running program.
        case helperProcess
        /// This process, for documents that are trusted: one that breaks librsvg ends the program, and nothing limits its
        /// memory and time.
        case thisProcess
    }

    private struct Settings {
        var place = Place.helperProcess
        var seconds = defaultSeconds
    }

    private static let settings = Mutex(Settings())

    /// Which process draws the documents that are opened from now on. The default is ``Place/helperProcess``.
    public static var place: Place {
        get { settings.withLock { $0.place } }
        set { settings.withLock { $0.place = newValue } }
    }

    /// The default of ``secondsAllowed``.
    public static let defaultSeconds = 20.0

    /// How long it may take to read a document, and to draw it once, in a helper process, in seconds above 0. The default
    /// is 20.
    public static var secondsAllowed: Double {
        get { settings.withLock { $0.seconds } }
        set { settings.withLock { $0.seconds = newValue } }
    }

    /// Starts a helper process that will soon be needed, so that it starts while this process does other work.
    public static func warmUp() {
        if place == .helperProcess { pool.warmUp() }
    }

    /// The names of the services that the program's main function offers.
    package static let serviceName = "svg"
    package static let pdfServiceName = "pdf"

    private static let pool = HelperPool(service: serviceName)
    private static let pdfPool = HelperPool(service: pdfServiceName)

    /// The documents that are drawn.
    package enum Kind: Hashable, Sendable {
        /// By librsvg.
        case svg
        /// A page of a PDF, counted from 1, by poppler.
        case pdf(page: Int)

        var format: ImageFile.Format { self == .svg ? .svg : .pdf }
    }

    // MARK: - Documents

    /// Why a document was not opened or drawn.
    enum Failure: Error {
        case refused(HelperRefusal)
        case helper(HelperFailure)

        func error(of name: String, _ kind: Kind) -> ImageError {
            switch self {
            case .helper(.notStarted(let reason)): return .noHelper(name: name, reason: reason)
            case .helper(let failure): return .helperFailed(name: name, reason: failure.clause)
            case .refused(let refusal):
                switch SVGRefusal(rawValue: refusal.code) {
                case .noLibrary: return kind == .svg ? .noSVGLibrary(name: name) : .noPDFLibrary(name: name)
                case .damaged: return .damaged(name: name, format: kind.format, reason: refusal.reason)
                case .external: return .externalReference(name: name, reference: refusal.reason)
                case .undrawable: return .undrawable(name: name, reason: refusal.reason)
                case .invalidRequest, nil: return .helperFailed(name: name, reason: HelperFailure.invalidAnswer.clause)
                }
            }
        }
    }

    /// A document that is drawn here or in a helper process.
    enum Document: Sendable {
        case here(LocalDocument)
        case there(RemoteDocument)

        /// Draws a block and passes its premultiplied words to a function, whose value is returned.
        func draw(
            _ placement: SVGPlacement, finishing finish: (UnsafeRawBufferPointer) -> [UInt8]
        ) throws(Failure) -> [UInt8] {
            switch self {
            case .here(let document): try document.draw(placement, finishing: finish)
            case .there(let document): try document.draw(placement, finishing: finish)
            }
        }

        /// What a page of a PDF consists of.
        func facts() throws(Failure) -> PDFFacts {
            switch self {
            case .here(let document): try document.facts()
            case .there(let document): try document.facts()
            }
        }
    }

    static func open(_ bytes: [UInt8], as kind: Kind) throws(Failure) -> (Document, (width: Double, height: Double)) {
        switch place {
        case .thisProcess:
            let document = try LocalDocument(bytes, kind)
            return (.here(document), document.size)
        case .helperProcess:
            let document = RemoteDocument(bytes, kind, in: (kind == .svg ? pool : pdfPool).member())
            return (.there(document), try document.size())
        }
    }
}

/// A document in this process.
final class LocalDocument: Sendable {
    let size: (width: Double, height: Double)
    private let service: SVGService
    /// Only one thread at a time may use it.
    private let handle: Mutex<SVGService.Drawable>

    init(_ bytes: [UInt8], _ kind: SVGDrawing.Kind) throws(SVGDrawing.Failure) {
        do {
            service = try SVGService(inThisProcess: ())
            let handle = try service.read(bytes, as: kind)
            size = handle.size
            self.handle = Mutex(handle)
        } catch {
            throw .refused(error)
        }
    }

    func draw(
        _ placement: SVGPlacement, finishing finish: (UnsafeRawBufferPointer) -> [UInt8]
    ) throws(SVGDrawing.Failure) -> [UInt8] {
        let size = placement.columns.count * placement.rows.count * 4
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        let refusal = handle.withLock { handle -> HelperRefusal? in
            do throws(HelperRefusal) {
                try service.draw(handle, placement, into: memory)
                return nil
            } catch {
                return error
            }
        }
        if let refusal { throw .refused(refusal) }
        return finish(UnsafeRawBufferPointer(memory))
    }

    func facts() throws(SVGDrawing.Failure) -> PDFFacts {
        let facts = handle.withLock { handle -> PDFFacts? in
            guard case .pdf(let page) = handle else { return nil }
            return page.facts()
        }
        guard let facts else { throw .refused(HelperRefusal(.noLibrary, "")) }
        return facts
    }
}

/// A document in a helper process, which reads it again where the process was replaced.
final class RemoteDocument: Sendable {
    private let bytes: [UInt8]
    private let kind: SVGDrawing.Kind
    private let number: UInt32
    private let member: HelperPool.Member
    /// The process that has read it; 0 where none has.
    private let generation = Mutex(0)

    /// Documents that are gone, which their processes have not been told yet, by process.
    private static let closed = Mutex<[ObjectIdentifier: [UInt32]]>([:])
    private static let count = Atomic<UInt32>(0)

    init(_ bytes: [UInt8], _ kind: SVGDrawing.Kind, in member: HelperPool.Member) {
        (self.bytes, self.kind, self.member) = (bytes, kind, member)
        number = Self.count.add(1, ordering: .relaxed).newValue
    }

    deinit { Self.closed.withLock { $0[ObjectIdentifier(member), default: []].append(number) } }

    /// In CSS pixels; 0 where it has none.
    func size() throws(SVGDrawing.Failure) -> (width: Double, height: Double) {
        let reply = try use { process, generation throws(HelperFailure) in
            let reply = try self.open(in: process)
            if case .answer = reply { self.generation.withLock { $0 = generation } }
            return reply
        }
        var reader = MessageReader(reply)
        guard let width = reader.double(), let height = reader.double(), width.isFinite, height.isFinite else {
            throw .helper(.invalidAnswer)
        }
        return (width, height)
    }

    func draw(
        _ placement: SVGPlacement, finishing finish: (UnsafeRawBufferPointer) -> [UInt8]
    ) throws(SVGDrawing.Failure) -> [UInt8] {
        let shared = placement.columns.count * placement.rows.count * 4
        var pixels: [UInt8] = []
        _ = try useOpened { process throws(HelperFailure) in
            try process.ask(
                SVGRequest.draw(self.number, placement).bytes, shared: shared, limits: Self.limits(drawing: shared)
            ) { pixels = finish($0) }
        }
        return pixels
    }

    func facts() throws(SVGDrawing.Failure) -> PDFFacts {
        let answer = try useOpened { process throws(HelperFailure) in
            try process.ask(SVGRequest.facts(self.number).bytes, limits: Self.limits(drawing: 0))
        }
        guard let facts = PDFFacts(answer) else { throw .helper(.invalidAnswer) }
        return facts
    }

    /// Asks a process that has read the document.
    private func useOpened(
        _ body: (HelperProcess) throws(HelperFailure) -> HelperProcess.Reply
    ) throws(SVGDrawing.Failure) -> [UInt8] {
        try use { process, generation throws(HelperFailure) in
            if self.generation.withLock({ $0 != generation }) {
                let reply = try self.open(in: process)
                guard case .answer = reply else { return reply }
                self.generation.withLock { $0 = generation }
            }
            return try body(process)
        }
    }

    private func open(in process: HelperProcess) throws(HelperFailure) -> HelperProcess.Reply {
        try process.ask(SVGRequest.open(number, kind, bytes[...]).bytes, limits: Self.limits(drawing: 0))
    }

    /// Asks the process, after it has forgotten the documents that are gone.
    private func use(
        _ body: (HelperProcess, Int) throws(HelperFailure) -> HelperProcess.Reply
    ) throws(SVGDrawing.Failure) -> [UInt8] {
        let reply: HelperProcess.Reply
        do throws(HelperFailure) {
            reply = try member.use { process, generation throws(HelperFailure) in
                let gone = Self.closed.withLock { $0.removeValue(forKey: ObjectIdentifier(self.member)) } ?? []
                for number in gone {
                    _ = try process.ask(SVGRequest.close(number).bytes, limits: Self.limits(drawing: 0))
                }
                return try body(process, generation)
            }
        } catch {
            throw .helper(error)
        }
        switch reply {
        case .answer(let bytes): return bytes
        case .refusal(let code, let text): throw .refused(HelperRefusal(code: code, text: text))
        }
    }

    /// A GiB, and four more surfaces of the drawing's size for filters, masks and groups.
    private static func limits(drawing size: Int) -> HelperLimits {
        HelperLimits(seconds: SVGDrawing.secondsAllowed, memory: min(1 << 30, max(256 << 20, Memory.limit)) + 4 * size)
    }
}

extension HelperRefusal {
    /// The text in one line of at most 200 letters, for a sentence.
    fileprivate var reason: String {
        let line = text.split { $0.isNewline }.joined(separator: " ")
        return line.count > 200 ? line.prefix(199) + "…" : line
    }
}

extension HelperFailure {
    /// What happened, as a clause of a sentence.
    package var clause: String {
        switch self {
        case .notStarted(let reason): reason
        case .timedOut(let seconds):
            "drawing it takes longer than \(seconds.short) s; simplify it, or allow more time with --svg-timeout"
        case .outOfMemory(let limit): "drawing it takes more than \(limit >> 20) MiB of memory; simplify it"
        case .crashed(let how): "drawing it ended its helper process (\(how)); simplify it"
        case .invalidAnswer: "its helper process gave no valid answer; simplify it"
        }
    }
}

extension Double {
    /// Without ".0".
    fileprivate var short: String { self == rounded() && abs(self) < 1e15 ? "\(Int(self))" : "\(self)" }
}
