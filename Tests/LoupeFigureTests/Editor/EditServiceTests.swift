import TestSupport
import Testing

@testable import LoupeFigure

@Suite struct EditServiceTests {
    private static let token = "0123456789abcdef0123456789abcdef"
    private static let client = "fedcba9876543210fedcba9876543210"
    private var service = EditService(token: token, client: client, port: 4321)

    private static func request(
        _ line: String, _ fields: [String] = ["Host: 127.0.0.1:4321"], body: String = ""
    ) -> [UInt8] {
        Array(([line] + fields).joined(separator: "\r\n").utf8) + Array("\r\n\r\n\(body)".utf8)
    }

    private static func status(of progress: HTTPRequest.Progress) -> Int? {
        if case .refused(let answer) = progress { answer.status } else { nil }
    }

    /// What becomes of a request: a status, 200 for the page, or 1 for an action.
    private mutating func result(_ bytes: [UInt8]) -> Int {
        switch HTTPRequest.read(bytes) {
        case .incomplete(let head): return head.flatMap(service.refusal)?.status ?? 0
        case .refused(let answer): return answer.status
        case .complete(let request):
            switch service.decide(request) {
            case .page: return 200
            case .action: return 1
            case .answer(let answer): return answer.status
            }
        }
    }

    private static let page = request("GET /\(token)/ HTTP/1.1")
    private static func action(
        _ changes: [String: String?] = [:], path: String = "/\(token)/do", body: String = "{}"
    ) -> [UInt8] {
        var fields: [String: String?] = [
            "Host": "127.0.0.1:4321", "Origin": "http://127.0.0.1:4321", "Content-Type": "application/json",
            "Content-Length": "\(body.utf8.count)", "Cookie": "other=1; loupe=\(client)",
        ]
        for (name, value) in changes { fields[name] = value }
        return request(
            "POST \(path) HTTP/1.1", fields.compactMap { name, value in value.map { "\(name): \($0)" } }, body: body)
    }

    @Test mutating func onePageAndItsActionsForOneBrowser() {
        #expect(result(Self.action()) == 403, "nobody has the page yet")
        #expect(result(Self.page) == 200)
        #expect(result(Self.page) == 403, "another browser")
        let again = Self.request(
            "GET /\(Self.token)/ HTTP/1.1", ["Host: 127.0.0.1:4321", "Cookie: loupe=\(Self.client)"])
        #expect(result(again) == 200, "the same browser may load the page again")
        #expect(result(Self.action()) == 1)
    }

    @Test mutating func theAnswerToAPageHasACookieThatScriptsAndOtherSitesDoNotGet() throws {
        guard case .complete(let request) = HTTPRequest.read(Self.page),
            case .page(let fields) = service.decide(request)
        else { return fail("no page") }
        #expect(fields == ["Set-Cookie: loupe=\(Self.client); HttpOnly; SameSite=Strict; Path=/\(Self.token)/"])
        let bytes = HTTPAnswer(status: 200, type: "text/html", body: [1, 2], fields: fields).bytes
        let head = String(decoding: bytes.dropLast(2), as: UTF8.self)
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.hasSuffix("\r\n\r\n"))
        #expect(head.contains("\r\nContent-Length: 2\r\n") && head.contains("\r\nCache-Control: no-store\r\n"))
    }

    @Test(
        arguments: [
            (["Host": "evil.example:4321"], 421), (["Host": "localhost:4321"], 421), (["Host": "127.0.0.1"], 421),
            (["Host": nil], 421), (["Origin": "http://evil.example"], 403), (["Origin": "null"], 403),
            (["Origin": nil], 403), (["Cookie": nil], 403), (["Cookie": "loupe="], 403),
            (["Cookie": "loupe=fedcba9876543210fedcba9876543211"], 403), (["Cookie": "xloupe=" + client], 403),
            (["Content-Type": "text/plain"], 403), (["Content-Type": nil], 403), (["Content-Length": "3"], 0),
            (["Content-Length": "-1"], 400), (["Content-Length": "0x2"], 400), (["Content-Length": "99999999999"], 413),
        ] as [([String: String?], Int)])
    mutating func anActionFromElsewhereIsRefused(changes: [String: String?], expected: Int) {
        #expect(result(Self.page) == 200)
        #expect(result(Self.action(changes)) == expected)
        #expect(result(Self.action()) == 1, "the right one still is")
    }

    @Test(arguments: [
        "/", "/do", "//do", "/0123456789abcdef0123456789abcdee/do", "/0123456789abcdef0123456789abcdef",
        "/0123456789abcdef0123456789abcdef/scene/", "/0123456789abcdef0123456789abcdef/../do",
        "/0123456789abcdef0123456789abcdef0/do", "/0123456789ABCDEF0123456789ABCDEF/do",
    ])
    mutating func onlyTheRightAddressIsKnown(path: String) {
        #expect(result(Self.page) == 200)
        #expect(result(Self.action(path: path)) == 404)
    }

    @Test mutating func eachAddressHasOneMethod() {
        #expect(result(Self.page) == 200)
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "HEAD", "CONNECT"] {
            #expect(result(Self.request("\(method) /\(Self.token)/ HTTP/1.1")) == 405)
        }
        #expect(result(Self.request("GET /\(Self.token)/do HTTP/1.1")) == 405)
    }

    @Test(arguments: ["", " ", "GET / HTTP/1.0", "GET  / HTTP/1.1", "GET /", "GET / HTTP/1.1 x"])
    func aLineThatIsNoRequestIsRefused(line: String) {
        #expect(Self.status(of: HTTPRequest.read(Self.request(line))) == 400)
    }

    @Test(arguments: [["Host: 127.0.0.1:4321", "host: 127.0.0.1:4321"], ["Host"], ["Content-Length: 1, 1"]])
    func fieldsThatAreUnclearAreRefused(fields: [String]) {
        #expect(Self.status(of: HTTPRequest.read(Self.request("GET / HTTP/1.1", fields))) == 400)
    }

    @Test func aRequestThatComesInPartsIsAwaited() {
        let whole = Self.action(body: "{\"layers\": []}")
        for count in 0..<whole.count {
            guard case .incomplete = HTTPRequest.read(Array(whole[..<count])) else { return fail("\(count) bytes") }
        }
        guard case .complete(let request) = HTTPRequest.read(whole) else { return fail("it is complete") }
        #expect(request.method == "POST")
        #expect(String(decoding: request.body, as: UTF8.self) == "{\"layers\": []}")
    }

    @Test("a body is not awaited of who may not ask")
    mutating func bodiesWithoutTheRight() {
        let request = Self.request("POST /x HTTP/1.1", ["Host: 127.0.0.1:4321", "Content-Length: 1048576"])
        #expect(result(request) == 404)
    }

    @Test func headsWithoutEndAreRefused() {
        let endless = Array("GET / HTTP/1.1\r\nX: ".utf8) + [UInt8](repeating: 97, count: 17000)
        #expect(Self.status(of: HTTPRequest.read(endless)) == 431)
        #expect(Self.status(of: HTTPRequest.read(endless + Array("\r\n\r\n".utf8))) == 431)
        #expect(Self.status(of: HTTPRequest.read([UInt8](repeating: 0, count: 17000))) == 431)
    }

    @Test func randomBytesCrashNothing() {
        var state: UInt64 = 1
        for round in 0..<2000 {
            var bytes = Self.action()
            for _ in 0..<(round % 7) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
            }
            if case .complete(let request) = HTTPRequest.read(bytes) {
                var service = service
                _ = service.decide(request)
            }
        }
    }
}
