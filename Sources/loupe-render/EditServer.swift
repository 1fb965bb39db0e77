import LoupeFigure
import LoupeSystem

/// The server of `edit`, for one page. Who may ask for what, `EditService` decides.
struct EditServer: ~Copyable {
    private let server: LocalServer
    private let service: EditService

    /// - Parameter port: nil for one that is free.
    init(port: Int?) throws {
        server = try LocalServer(port: port)
        service = EditService(token: Self.secret(), client: Self.secret(), port: server.port)
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

    /// How long a page may be gone before the server ends: it may only have been loaded again.
    private static let patience = Duration.seconds(3)

    /// Answers until the page is closed.
    /// - Parameter act: answers an action of the page; nil where the page is closed.
    /// - Throws: `Failure` after a signal.
    func serve(page: [UInt8], act: ([UInt8]) -> HTTPAnswer?) throws {
        var (service, closed): (EditService, ContinuousClock.Instant?) = (service, nil)
        try server.serve {
            try Interruption.check("")
            return closed.map { $0.duration(to: .now) < Self.patience } ?? true
        } answer: { bytes in
            let answer = Self.answer(to: bytes, &service, page) { action in
                let answer = act(action)
                closed = answer == nil ? .now : nil
                return answer ?? HTTPAnswer(200, "closed")
            }
            if answer?.type.hasPrefix("text/html") == true { closed = nil }
            return answer?.bytes
        }
    }

    /// What is answered to the bytes that a connection has brought; nil while more have to come.
    private static func answer(
        to bytes: [UInt8], _ service: inout EditService, _ page: [UInt8], _ act: ([UInt8]) -> HTTPAnswer
    ) -> HTTPAnswer? {
        let request: HTTPRequest
        switch HTTPRequest.read(bytes) {
        // Nobody sends a body for nothing, or keeps it here without the right to.
        case .incomplete(let head): return head.flatMap(service.refusal)
        case .refused(let answer): return answer
        case .complete(let whole): request = whole
        }
        switch service.decide(request) {
        case .answer(let answer): return answer
        case .page(let fields):
            return HTTPAnswer(status: 200, type: "text/html; charset=utf-8", body: page, fields: fields)
        case .action(let action): return act(action)
        }
    }
}
