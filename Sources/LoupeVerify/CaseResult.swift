import LoupeJSON
import LoupeScene

/// What became of a case.
public struct CaseResult: Sendable {
    public enum State: String, Sendable, CaseIterable {
        case passed
        /// The picture is not near enough to its reference, or the reference can't be read.
        case failed
        /// There is no reference.
        case missing
        /// The scene can't be read or drawn.
        case broken
        /// The reference was written just now.
        case written
    }

    public let suite: String
    public let name: String
    /// The scene's path.
    public let scene: String
    public let state: State
    /// Why, on one line.
    public let message: String
    public let milliseconds: Double
    /// The tolerance that the case allows, and the smallest that would do; nil where nothing was compared.
    public let slack: Slack?
    /// For machines: the limits, the difference.
    package let details: JSONObject
    /// For the HTML report; nil where they were not asked for, and where the case passed.
    public let pictures: CasePictures?

    public struct Slack: Hashable, Sendable {
        public let allowed: Int
        public let needed: Int
        /// Whether the scene states its limits itself.
        public let isStated: Bool
    }

    public var title: String { "\(suite)/\(name)" }
}

extension CaseResult {
    /// - Parameter includesPictures: which makes it large.
    package func json(includesPictures: Bool) -> JSONValue {
        var object = JSONObject()
        let members: [(String, JSONValue)] = [
            ("suite", .string(suite)), ("name", .string(name)), ("scene", .string(scene)),
            ("state", .string(state.rawValue)), ("message", .string(message)), ("milliseconds", .number(milliseconds)),
        ]
        for (key, value) in members { _ = object.append(value, forKey: key) }
        if let slack {
            let json: JSONValue = [
                "allowed": .number(Double(slack.allowed)), "needed": .number(Double(slack.needed)),
                "stated": .bool(slack.isStated),
            ]
            _ = object.append(json, forKey: "slack")
        }
        for member in details.members { _ = object.append(member.value, forKey: member.key) }
        if includesPictures, let pictures { _ = object.append(pictures.json, forKey: "pictures") }
        return .object(object)
    }

    package init(_ value: JSONReader) throws(DocumentError) {
        var result = value
        suite = try result.required("suite").string()
        name = try result.required("name").string()
        scene = try result.required("scene").string()
        state = try result.required("state").choice(of: State.self)
        message = try result.required("message").string()
        milliseconds = try result.required("milliseconds").number(in: 0...1e12)
        slack = try result.optional("slack").map(Slack.init)
        var details = JSONObject()
        for key in Self.detailKeys {
            if let value = try result.optional(key)?.value { _ = details.append(value, forKey: key) }
        }
        self.details = details
        pictures = try result.optional("pictures").map(CasePictures.init)
        try result.finish()
    }

    static let detailKeys = ["limits", "difference", "driver"]
}

extension CaseResult.Slack {
    fileprivate init(_ value: JSONReader) throws(DocumentError) {
        var slack = value
        allowed = try slack.required("allowed").integer(in: 0...255)
        needed = try slack.required("needed").integer(in: 0...255)
        isStated = try slack.required("stated").bool()
        try slack.finish()
    }
}
