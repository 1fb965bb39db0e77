import ArgumentParser
import LoupeGeometry
import LoupeJSON
import LoupePlan
import LoupeScene

/// A loupe as `key=value` words, such as `at=900,100 radius=180 zoom=4 focus=400,300 rim=6:#fff`.
///
/// What a value has to be is decided where scenes are read; this only turns the words into the JSON of a loupe.
struct LoupeText: ExpressibleByArgument {
    let words: [Substring]

    init?(argument: String) {
        words = Arguments.readable(argument).split { " \t\n".contains($0) }
        if words.isEmpty { return nil }
    }

    func names(_ key: String) -> Bool { words.contains { $0.split(separator: "=").first == key[...] } }

    /// The text of the loupe's mark; nil where the words have none.
    var label: String? { words.first { $0.hasPrefix("label=") }.map { String($0.dropFirst("label=".count)) } }

    /// Whether the words say how large the loupe is.
    var isSized: Bool { names("radius") || names("shape") }

    /// The loupe, and whether the words say where it is.
    ///
    /// - Parameters:
    ///   - path: for errors: the flag, and which one it is where there are several.
    ///   - radius: where the words name none.
    ///   - page: to which positions are relative.
    ///   - isPlain: whether no default style adds what is missing, such as the width of a rim.
    func loupe(at path: JSONPath, radius: Double, page: PlacedPage, isPlain: Bool) throws -> (
        loupe: Loupe, hasPlace: Bool, given: DefaultStyle.Parts
    ) {
        do {
            var members = Members(path: path, page: page)
            for word in words { try members.add(word) }
            let given = members.givenParts
            if !isPlain { members.completeRim() }
            let hasPlace = members["center"] != nil
            if !hasPlace { members.fill("center", members["focus"] ?? [.number(0), .number(0)]) }
            if let region = members.region { try members.fit(to: region, radius: radius) }
            if members["shape"] == nil { members.fill("radius", .number(radius)) }
            members.fill("zoom", .number(LoupeOptions.defaultZoom))
            members.fill("filter", .string(LoupeFilter.auto.rawValue))
            return (try Self.decoder.loupe(members.reader), hasPlace, given)
        } catch let error as DocumentError {
            throw Failure(.usage, error.withoutCallout)
        }
    }

    /// A loupe asks for no image's size.
    fileprivate static var decoder: SceneDecoder { SceneDecoder { _ in preconditionFailure() } }
}

/// The members of a loupe's JSON, as they come in.
private struct Members {
    let path: JSONPath
    let page: PlacedPage
    /// That the focus names, if it is not a point.
    private(set) var region: FocusRegion?
    private var loupe = JSONObject()
    private var callout = JSONObject()
    private var given: [String] = []

    init(path: JSONPath, page: PlacedPage) { (self.path, self.page) = (path, page) }

    subscript(key: String) -> JSONValue? { loupe[key] }

    /// Whether a word says one of the options of an object, such as the width of `rim=4:#fff`.
    private func has(_ key: String, of object: JSONValue?) -> Bool {
        guard case .object(let members) = object else { return false }
        return members[key] != nil
    }

    /// What the default style leaves alone.
    var givenParts: DefaultStyle.Parts {
        let parts: [(DefaultStyle.Parts, String, JSONValue?)] = [
            (.rimWidth, "width", loupe["rim"]), (.rimColor, "color", loupe["rim"]),
            (.shadowBlur, "blur", loupe["shadow"]), (.shadowOffset, "offset", loupe["shadow"]),
            (.shadowColor, "color", loupe["shadow"]),
            (.ringWidth, "width", callout["ring"]), (.ringColor, "color", callout["ring"]),
            (.connectorWidth, "width", callout["connector"]), (.connectorColor, "color", callout["connector"]),
        ]
        return parts.reduce(into: []) { given, part in if has(part.1, of: part.2) { given.insert(part.0) } }
    }

    /// Gives a rim of which only the colour is said some width, which the style replaces.
    mutating func completeRim() {
        guard case .object(var rim)? = loupe["rim"], rim["width"] == nil else { return }
        _ = rim.append(.number(0), forKey: "width")
        loupe = JSONObject(
            loupe.members.map { ($0.key, $0.key == "rim" ? JSONValue.object(rim) : $0.value) })
    }

    mutating func fill(_ key: String, _ value: JSONValue) { _ = loupe.append(value, forKey: key) }

    /// Adds the zoom and the radius that follow from a region.
    /// - Parameter standard: the radius of a disc of which the words name none.
    mutating func fit(to region: FocusRegion, radius standard: Double) throws {
        let isSized = self["shape"] != nil || self["radius"] != nil
        // A loupe of the size that the words name, where they do; its other members are of no matter.
        var sized = JSONObject()
        for (key, value) in [
            ("center", self["center"]), ("shape", self["shape"]), ("zoom", self["zoom"] ?? .number(1)),
            ("radius", self["shape"] == nil ? self["radius"] ?? .number(standard) : nil),
        ] {
            if let value { _ = sized.append(value, forKey: key) }
        }
        let loupe = try LoupeText.decoder.loupe(JSONReader(.object(sized), path: path))
        let (shape, zoom) = try region.fit(
            loupe.shape, zoom: self["zoom"] == nil ? nil : loupe.zoom, isSized: isSized,
            flag: JSONPath.key("focus", in: path).description)
        if case .circle(let radius) = shape { fill("radius", .number(radius)) }
        fill("zoom", .number(zoom))
    }

    var reader: JSONReader {
        var all = loupe
        if !callout.members.isEmpty { _ = all.append(.object(callout), forKey: "callout") }
        return JSONReader(.object(all), path: path)
    }

    mutating func add(_ word: Substring) throws(DocumentError) {
        let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (key, text) = (sides[0], sides.count > 1 ? sides[1] : "")
        let options = PictureOption.words.filter { $0.word?.key == key }
        guard let first = options.first?.word else {
            throw error(key, "unknown key; allowed are \(PictureOption.wordKeys.joined(separator: ", "))")
        }
        guard !given.contains(key) else { throw error(key, "it is given twice; once is allowed") }
        given.append(key)
        if key == PictureOption.ownLabel.word?.key {
            // A label is the scene's, and not the loupe's.
            if let problem = Label.problem(with: text) { throw error(key, problem) }
            return
        }
        var value =
            if key == PictureOption.shape.word?.key {
                try shape(text)
            } else if case .focus = options[0].value {
                try focus(key, text)
            } else if options.count == 1, options[0].name != nil {
                try scalar(key, text, options[0].value)
            } else {
                try object(key, text, options)
            }
        // As with --callout.
        if key == PictureOption.connector.word?.key, case .object(var connector) = value, connector["style"] == nil {
            _ = connector.append(.string(ConnectorChoice.lines.rawValue), forKey: "style")
            value = .object(connector)
        }
        // The JSON of `ring=…` is `{"callout": {"ring": {…}}}`, that of `rim=…` is `{"rim": {…}}`.
        if first.path[0] == "callout" {
            _ = callout.append(value, forKey: first.path[1])
        } else {
            fill(first.path[0], value)
        }
    }

    private func scalar(_ key: String, _ text: String, _ value: PictureOption.Value) throws(DocumentError) -> JSONValue
    {
        switch value {
        case .position: try position(key, text)
        case .point: try point(key, text)
        case .number: .number(try number(key, text))
        case .color, .radii, .choice, .other, .none, .focus: .string(text)
        }
    }

    private func position(_ key: String, _ text: String) throws(DocumentError) -> JSONValue {
        guard let position = Position(argument: text) else {
            throw error(key, "\"\(text)\" is not a point; \(Position.forms), is needed, such as 400,300")
        }
        return Self.json(position.point(on: page))
    }

    private mutating func focus(_ key: String, _ text: String) throws(DocumentError) -> JSONValue {
        guard let focus = FocusArgument(argument: text) else {
            throw error(key, "\"\(text)\" is not a point; \(FocusArgument.forms), such as 400,300")
        }
        let (point, region) = focus.resolved(on: page)
        self.region = region
        return Self.json(point)
    }

    private static func json(_ point: Point) -> JSONValue { [.number(point.x), .number(point.y)] }

    private func error(_ key: String, _ problem: String) -> DocumentError {
        DocumentError(at: .key(path: JSONPath.key(key, in: path).description), problem)
    }

    private func number(_ key: String, _ text: String) throws(DocumentError) -> Double {
        guard let number = Double(text), number.isFinite else {
            throw error(key, "\"\(text)\" is not a number")
        }
        return number
    }

    private func point(_ key: String, _ text: String) throws(DocumentError) -> JSONValue {
        guard let point = Coordinates(argument: text)?.point else {
            throw error(key, "\"\(text)\" is not a point; X,Y in -1000000…1000000 is needed, such as 400,300")
        }
        return Self.json(point)
    }

    /// `WxH`, then the corners' radius, if it is not a quarter of the shorter side, and a style's name or an exponent.
    private func shape(_ text: String) throws(DocumentError) -> JSONValue {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let sides = parts[0].parts(between: "x", { Double($0) }), sides.count == 2, parts.count <= 3 else {
            throw error("shape", "\"\(text)\" is not a shape; WxH:RADIUS:STYLE is needed, such as 170x120:36:round")
        }
        let (width, height) = (sides[0], sides[1])
        let radius = parts.count > 1 ? try number("shape", parts[1]) : min(width, height) / 4
        let curve = parts.dropFirst(2).first
        let exponent = curve.flatMap { Double($0) }
        return [
            "size": [.number(width), .number(height)], "radius": .number(radius),
            "exponent": exponent.map(JSONValue.number),
            "style": exponent == nil ? curve.map(JSONValue.string) : nil,
        ]
    }

    /// Parts between colons. The look of each decides which option it is: `#…` or a name of CSS a colour, `X,Y` a point, then a number, or
    /// else a name.
    private func object(
        _ key: String, _ text: String, _ options: [PictureOption]
    ) throws(DocumentError) -> JSONValue {
        var member: (color: String?, point: String?, number: String?, choice: String?)
        for option in options {
            let name = option.word?.path.last
            switch option.value {
            case .color: member.color = name
            case .point: member.point = name
            case .number: member.number = name
            case .choice: member.choice = name
            case .position, .focus, .radii, .other, .none: break
            }
        }
        var object = JSONObject()
        for part in text.split(separator: ":").map(String.init) {
            let found: (key: String, value: JSONValue) =
                if let name = member.color, part.hasPrefix("#") || Color(text: part) != nil {
                    (name, .string(part))
                } else if let name = member.point, part.contains(",") {
                    (name, try point(key, part))
                } else if let name = member.choice, Double(part) == nil {
                    (name, .string(part))
                } else if let name = member.number {
                    (name, .number(try number(key, part)))
                } else {
                    throw error(
                        key,
                        "\"\(part)\" is not allowed; write \(key)=\(options.map(\.valueName).joined(separator: ":"))")
                }
            guard object.append(found.value, forKey: found.key) else {
                throw error(key, "\"\(text)\" has two values for \(found.key); one is allowed")
            }
        }
        return .object(object)
    }
}

extension DocumentError {
    /// On the command line, rings and connectors are a loupe's own.
    fileprivate var withoutCallout: String {
        guard case .key(let path) = position else { return description }
        let keys = path.split(separator: ".").filter { $0 != "callout" }
        return "\(keys.joined(separator: ".")): \(problem)"
    }
}
