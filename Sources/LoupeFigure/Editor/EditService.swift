/// A request of HTTP/1.1 as the server of `edit` reads it: one for each connection.
package struct HTTPRequest: Hashable, Sendable {
    package let method: String
    package let target: String
    /// By their names in small letters.
    package let fields: [String: String]
    package let body: [UInt8]

    /// The state of a request, by the bytes that its connection has brought so far.
    package enum Progress: Hashable, Sendable {
        /// More have to come; the request without its body, as far as it is known.
        case incomplete(head: HTTPRequest?)
        case complete(HTTPRequest)
        case refused(HTTPAnswer)
    }

    /// The most bytes of a request line with its fields, and of a body.
    package static let (mostOfHead, mostOfBody) = (16 << 10, 1 << 20)

    /// Reads the bytes that a connection has brought.
    package static func read(_ bytes: [UInt8]) -> Progress {
        let emptyLine: [UInt8] = [13, 10, 13, 10]
        let starts = 0..<min(max(0, bytes.count - 3), mostOfHead)
        guard let end = starts.first(where: { bytes[$0..<$0 + 4].elementsEqual(emptyLine) }) else {
            return bytes.count > mostOfHead
                ? .refused(.init(431, "the request's head is too long")) : .incomplete(head: nil)
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n" as Character)
        let words = (lines.first ?? "").split(separator: " " as Character, omittingEmptySubsequences: false)
        guard words.count == 3, words[2] == "HTTP/1.1" else {
            return .refused(.init(400, "the request line is not one of HTTP/1.1"))
        }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let sides = line.split(separator: ":" as Character, maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, fields[sides[0].lowercased()] == nil else {
                return .refused(.init(400, "a field of the request has no value, or is there twice"))
            }
            var value = sides[1].drop { $0 == " " || $0 == "\t" }
            while value.last == " " || value.last == "\t" { value.removeLast() }
            fields[sides[0].lowercased()] = String(value)
        }
        guard let length = Int(fields["content-length"] ?? "0"), length >= 0 else {
            return .refused(.init(400, "the content-length is no number"))
        }
        guard length <= mostOfBody else {
            return .refused(.init(413, "a body of \(length) bytes is too large; allowed are \(mostOfBody)"))
        }
        let isWhole = bytes.count - (end + 4) >= length
        let request = HTTPRequest(
            method: String(words[0]), target: String(words[1]), fields: fields,
            body: isWhole ? Array(bytes[(end + 4)...].prefix(length)) : [])
        return isWhole ? .complete(request) : .incomplete(head: request)
    }
}

/// An answer of the server of `edit`.
package struct HTTPAnswer: Hashable, Sendable {
    /// The status code of HTTP.
    package var status: Int
    /// Such as `text/plain`.
    package var type: String
    package var body: [UInt8]
    /// Further fields, each without its line's end.
    package var fields: [String]

    /// A sentence in place of what was asked for.
    package init(_ status: Int, _ sentence: String) {
        self.init(status: status, type: "text/plain; charset=utf-8", body: Array((sentence + "\n").utf8))
    }

    package init(status: Int, type: String, body: [UInt8], fields: [String] = []) {
        (self.status, self.type, self.body, self.fields) = (status, type, body, fields)
    }

    /// The bytes that are sent. No browser keeps them, guesses their type, or shows them in another page's frame.
    package var bytes: [UInt8] {
        let lines =
            [
                "HTTP/1.1 \(status) \(status == 200 ? "OK" : "Refused")", "Content-Type: \(type)",
                "Content-Length: \(body.count)", "Connection: close", "Cache-Control: no-store",
                "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY", "Referrer-Policy: same-origin",
                "Cross-Origin-Resource-Policy: same-origin", "Cross-Origin-Opener-Policy: same-origin",
            ] + fields
        var bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        bytes.reserveCapacity(bytes.count + body.count)
        bytes += body
        return bytes
    }
}

/// The access rules of the server of `edit`: one browser, which was given the address, may ask for the page, and its page for
/// actions.
package struct EditService: Sendable {
    /// In the address.
    private let token: String
    /// In the cookie of the browser that was first.
    private let client: String
    /// On 127.0.0.1.
    private let host: String
    private var isTaken = false

    /// The action that a request leads to.
    package enum Decision: Hashable, Sendable {
        /// The page is sent, with these fields.
        case page(fields: [String])
        /// What the page asks for is done.
        case action([UInt8])
        case answer(HTTPAnswer)
    }

    /// - Parameters:
    ///   - token: a random text of letters and digits.
    ///   - client: another one.
    ///   - port: on 127.0.0.1.
    package init(token: String, client: String, port: Int) {
        (self.token, self.client, host) = (token, client, "127.0.0.1:\(port)")
    }

    /// Where the page is.
    package var address: String { "http://\(host)\(path)" }
    private var path: String { "/\(token)/" }
    /// Where the page sends its actions, below its own address.
    static let actionName = "do"

    /// Why a request is refused, of which the body may still have to come; nil where it is not.
    package func refusal(of request: HTTPRequest) -> HTTPAnswer? {
        var later = self
        return if case .answer(let answer) = later.decide(request) { answer } else { nil }
    }

    /// Decides about a request.
    package mutating func decide(_ request: HTTPRequest) -> Decision {
        // Another name for this machine, such as an attacker's own, is not this server (DNS rebinding).
        guard request.fields["host"] == host else { return .answer(.init(421, "this server is \(host) only")) }
        let origin = request.fields["origin"]
        if let origin, origin != "http://\(host)" {
            return .answer(.init(403, "pages of other servers may not ask"))
        }
        let isAction = Self.isEqual(request.target, path + Self.actionName)
        guard isAction || Self.isEqual(request.target, path) else {
            return .answer(.init(404, "there is nothing here; use the address that loupe-render edit has printed"))
        }
        let method = isAction ? "POST" : "GET"
        guard request.method == method else { return .answer(.init(405, "only \(method) is allowed here")) }
        let isKnown = isTaken && cookies(of: request).contains { Self.isEqual($0, cookie) }
        if isAction {
            guard isKnown, origin != nil, request.fields["content-type"] == "application/json" else {
                return .answer(.init(403, "only the page of the browser that was first may ask, and only in JSON"))
            }
            return .action(request.body)
        }
        guard isKnown || !isTaken else {
            return .answer(.init(403, "another browser edits this figure; end loupe-render edit and start it again"))
        }
        isTaken = true
        return .page(fields: ["Set-Cookie: \(cookie); HttpOnly; SameSite=Strict; Path=\(path)"])
    }

    private var cookie: String { "loupe=\(client)" }

    private func cookies(of request: HTTPRequest) -> [String] {
        (request.fields["cookie"] ?? "").split(separator: ";" as Character).map { String($0.drop { $0 == " " }) }
    }

    /// Whether two texts are equal. The time that it takes depends on their lengths alone.
    private static func isEqual(_ one: String, _ other: String) -> Bool {
        let difference = zip(one.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) }
        return one.utf8.count == other.utf8.count && difference == 0
    }
}
