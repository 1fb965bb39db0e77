import LoupeCompose
import LoupeSystem

/// The server of `edit`, for one page and one scene. Who may ask for what, `SaveService` decides.
struct EditServer: ~Copyable {
    private let server: LocalServer
    private let service: SaveService

    /// A server on a port that is free.
    init() throws {
        server = try LocalServer()
        service = SaveService(token: Self.secret(), client: Self.secret(), port: server.port)
    }

    /// The address of the page.
    var address: String { service.address }

    /// 128 random bits from the kernel, as 32 digits.
    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Answers until a scene is saved.
    /// - Parameter save: writes a scene; what it throws is told to the page, and another try is awaited.
    /// - Throws: `Failure` after a signal.
    func serve(page: [UInt8], save: ([UInt8]) throws -> Void) throws {
        var service = service
        try server.serve {
            try Interruption.check("nothing was saved")
        } answer: { bytes in
            Self.answer(to: bytes, &service, page, save).map { ($0.bytes, $1) }
        }
    }

    /// What is answered to the bytes that a connection has brought, and whether the scene is saved; nil while more have to
    /// come.
    private static func answer(
        to bytes: [UInt8], _ service: inout SaveService, _ page: [UInt8], _ save: ([UInt8]) throws -> Void
    ) -> (SaveAnswer, isSaved: Bool)? {
        let request: SaveRequest
        switch SaveRequest.read(bytes) {
        // Nobody sends a body for nothing, or keeps it here without the right to.
        case .incomplete(let head): return head.flatMap(service.refusal).map { ($0, false) }
        case .refused(let answer): return (answer, false)
        case .complete(let whole): request = whole
        }
        switch service.decide(request) {
        case .answer(let answer): return (answer, false)
        case .page(let fields):
            return (SaveAnswer(status: 200, type: "text/html; charset=utf-8", body: page, fields: fields), false)
        case .save(let scene):
            do {
                try save(scene)
                return (SaveAnswer(200, "The scene is saved."), true)
            } catch {
                let failure = Failure(error)
                StandardError.warn(failure.sentence)
                return (SaveAnswer(failure.code == .badInput ? 422 : 500, failure.sentence), false)
            }
        }
    }
}
