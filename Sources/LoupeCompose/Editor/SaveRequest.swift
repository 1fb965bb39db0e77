/// A request of HTTP/1.1 as the server of `edit` reads it: one for each connection, and nothing that such a page does not
/// send. Everything that is unclear is refused (RFC 9112).
package struct SaveRequest: Hashable, Sendable {
    package let method: String
    package let target: String
    /// By their names in small letters.
    package let fields: [String: String]
    package let body: [UInt8]

    /// The state of a request, by the bytes that its connection has brought so far.
    package enum Progress: Hashable, Sendable {
        /// More have to come.
        case incomplete
        /// Everything but the body is there: what is refused need not be waited for.
        case head(SaveRequest)
        case complete(SaveRequest)
        case refused(SaveAnswer)
    }

    /// The most bytes of a request line with its fields, and of a body.
    package static let (mostOfHead, mostOfBody) = (16 << 10, 16 << 20)

    /// Reads the bytes that a connection has brought.
    package static func read(_ bytes: [UInt8]) -> Progress {
        guard let end = endOfHead(in: bytes) else {
            return bytes.count > mostOfHead ? .refused(.init(431, "the request's head is too long")) : .incomplete
        }
        guard end <= mostOfHead else { return .refused(.init(431, "the request's head is too long")) }
        let head = String(decoding: bytes[..<(end - 4)], as: UTF8.self)
        let lines = head.split(separator: "\r\n" as Character, omittingEmptySubsequences: false)
        // No line goes on in the next one, as in old versions of HTTP.
        guard head.allSatisfy({ $0 == "\r\n" || $0 == "\t" || " "..."~" ~= $0 }),
            lines.allSatisfy({ $0.first != " " && $0.first != "\t" })
        else { return .refused(.init(400, "the request's head has characters that it may not have")) }
        let words = lines[0].split(separator: " " as Character, omittingEmptySubsequences: false)
        guard words.count == 3, words[2] == "HTTP/1.1", words[1].first == "/", !words[0].isEmpty,
            words[0].allSatisfy({ "A"..."Z" ~= $0 })
        else { return .refused(.init(400, "the request line is not one of HTTP/1.1")) }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let sides = line.split(separator: ":" as Character, maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[0].isEmpty, sides[0].utf8.allSatisfy(isOfName) else {
                return .refused(.init(400, "a field of the request has no name"))
            }
            let name = sides[0].lowercased()
            guard fields[name] == nil else { return .refused(.init(400, "the field \(name) is there twice")) }
            var value = sides[1].drop { $0 == " " || $0 == "\t" }
            while value.last == " " || value.last == "\t" { value.removeLast() }
            fields[name] = String(value)
        }
        guard fields["transfer-encoding"] == nil else {
            return .refused(.init(501, "only bodies with a content-length are understood"))
        }
        var length = 0
        if let text = fields["content-length"] {
            guard !text.isEmpty, text.utf8.count <= 12, text.utf8.allSatisfy({ 48...57 ~= $0 }), let number = Int(text)
            else { return .refused(.init(400, "the content-length is no number")) }
            length = number
        }
        guard length <= mostOfBody else {
            return .refused(.init(413, "a scene of \(length) bytes is too large; allowed are \(mostOfBody)"))
        }
        func request(body: [UInt8]) -> SaveRequest {
            SaveRequest(
                method: String(words[0]), target: String(words[1]), fields: fields, body: body)
        }
        guard bytes.count >= end + length else { return .head(request(body: [])) }
        guard bytes.count == end + length else { return .refused(.init(400, "more bytes follow the request")) }
        return .complete(request(body: Array(bytes[end...])))
    }

    /// The index after the empty line.
    private static func endOfHead(in bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        let most = min(bytes.count, mostOfHead + 4)
        return (4...most).first { end in
            bytes[end - 4] == 13 && bytes[end - 3] == 10 && bytes[end - 2] == 13 && bytes[end - 1] == 10
        }
    }

    /// Whether a byte may be in a field's name: a token of RFC 9110.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

}

/// An answer of the server of `edit`.
package struct SaveAnswer: Hashable, Sendable {
    /// The status code of HTTP.
    package var status: Int
    /// Such as `text/plain`.
    package var type: String
    package var body: [UInt8]
    /// Further fields, each without its line's end.
    package var fields: [String]

    /// A sentence in place of what was asked for.
    package init(_ status: Int, _ sentence: String, fields: [String] = []) {
        self.init(
            status: status, type: "text/plain; charset=utf-8", body: Array((sentence + "\n").utf8), fields: fields)
    }

    package init(status: Int, type: String, body: [UInt8], fields: [String] = []) {
        (self.status, self.type, self.body, self.fields) = (status, type, body, fields)
    }

    /// The bytes that are sent. No browser keeps them, guesses their type, or shows them in another page's frame.
    package var bytes: [UInt8] {
        let reasons = [
            200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
            411: "Length Required", 413: "Content Too Large", 415: "Unsupported Media Type",
            421: "Misdirected Request", 422: "Unprocessable Content", 431: "Request Header Fields Too Large",
            500: "Internal Server Error", 501: "Not Implemented",
        ]
        let lines =
            [
                "HTTP/1.1 \(status) \(reasons[status] ?? "Refused")", "Content-Type: \(type)",
                "Content-Length: \(body.count)", "Connection: close", "Cache-Control: no-store",
                "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY", "Referrer-Policy: same-origin",
                "Cross-Origin-Resource-Policy: same-origin", "Cross-Origin-Opener-Policy: same-origin",
            ] + fields
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
}

/// The access rules of the server of `edit`: one browser, which was given the address, may ask for the page and for one
/// scene.
package struct SaveService: Sendable {
    /// In the address.
    private let token: [UInt8]
    /// In the cookie of the browser that was first.
    private let client: [UInt8]
    /// On 127.0.0.1.
    private let host: String
    private var isTaken = false

    /// The action that a request leads to.
    package enum Decision: Hashable, Sendable {
        /// The page is sent, with these fields.
        case page(fields: [String])
        /// A scene is saved.
        case save([UInt8])
        case answer(SaveAnswer)
    }

    /// - Parameters:
    ///   - token: a random text of letters and digits.
    ///   - client: another one.
    ///   - port: on 127.0.0.1.
    package init(token: String, client: String, port: Int) {
        (self.token, self.client) = (Array(token.utf8), Array(client.utf8))
        host = "127.0.0.1:\(port)"
    }

    /// Where the page is.
    package var address: String { "http://\(host)\(path)" }
    private var path: String { "/\(String(decoding: token, as: UTF8.self))/" }
    /// Where the page sends its scene, below its own address.
    package static let saveName = "scene"

    /// Decides about a request.
    package mutating func decide(_ request: SaveRequest) -> Decision {
        // Another name for this machine, such as an attacker's own, is not this server (DNS rebinding).
        guard request.fields["host"] == host else { return .answer(.init(421, "this server is \(host) only")) }
        if let origin = request.fields["origin"], origin != "http://\(host)" {
            return .answer(.init(403, "pages of other servers may not ask"))
        }
        // "/", the token, "/", and a name.
        let target = Array(request.target.utf8)
        let (start, rest) = (target.dropFirst().prefix(token.count), target.dropFirst(1 + token.count))
        guard Self.isEqual(Array(start), token), rest.first == UInt8(ascii: "/") else {
            return .answer(.init(404, "there is nothing here; use the address that loupe-render edit has printed"))
        }
        let isKnown = isKnown(request)
        switch String(decoding: rest.dropFirst(), as: UTF8.self) {
        case "":
            guard request.method == "GET" else { return refuse(method: "GET") }
            guard request.fields["content-length", default: "0"] == "0" else {
                return .answer(.init(400, "who asks for the page sends nothing"))
            }
            guard isKnown || !isTaken else {
                return .answer(
                    .init(403, "another browser edits this figure; end loupe-render edit and start it again"))
            }
            isTaken = true
            let cookie = "loupe=\(String(decoding: client, as: UTF8.self)); HttpOnly; SameSite=Strict; Path=\(path)"
            return .page(fields: ["Set-Cookie: \(cookie)"])
        case Self.saveName:
            guard request.method == "POST" else { return refuse(method: "POST") }
            guard isKnown else { return .answer(.init(403, "only the browser that has the page may save")) }
            guard request.fields["origin"] != nil else {
                return .answer(.init(403, "only the page may save, and a page says where it is from"))
            }
            guard request.fields["content-type"] == "application/json" else {
                return .answer(.init(415, "a scene is application/json"))
            }
            guard request.fields["content-length"] != nil else {
                return .answer(.init(411, "the length of the scene is missing"))
            }
            return .save(request.body)
        default: return .answer(.init(404, "there is nothing of this name"))
        }
    }

    private func refuse(method: String) -> Decision {
        .answer(.init(405, "only \(method) is allowed here", fields: ["Allow: \(method)"]))
    }

    /// Whether the request has the cookie of the browser that was first.
    private func isKnown(_ request: SaveRequest) -> Bool {
        let cookies = Array((request.fields["cookie"] ?? "").utf8).split(separator: UInt8(ascii: ";"))
        let name = Array("loupe=".utf8)
        return isTaken
            && cookies.contains { cookie in
                let cookie = Array(cookie.drop { $0 == 0x20 })
                return cookie.starts(with: name) && Self.isEqual(Array(cookie.dropFirst(name.count)), client)
            }
    }

    /// Whether two texts are equal. The time that it takes depends on their lengths alone.
    static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        var difference: UInt8 = 0
        for index in one.indices { difference |= one[index] ^ other[index] }
        return difference == 0
    }
}
