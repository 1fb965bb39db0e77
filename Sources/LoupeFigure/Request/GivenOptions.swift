import LoupeBase
import LoupeScene

/// The options that somebody wrote, by flags, in words of a loupe, in a job or in an editor: pairs of a name and a text. A
/// `Request` reads each text once.
public struct GivenOptions: Hashable, Sendable {
    /// A value of an option.
    public struct Entry: Hashable, Sendable {
        /// The option.
        public let name: String
        /// UTF-8, or any bytes of a path; empty for an option without a value.
        public let value: [UInt8]
        /// How errors name it: `--zoom`, or `--loupe.zoom` for a word.
        let shown: String
    }

    /// In the order in which they were given.
    public private(set) var entries: [Entry] = []

    /// No options.
    public init() {}

    /// Adds a value.
    /// - Parameter shown: how errors name the option; nil for its flag.
    public mutating func add(_ name: String, _ value: some Sequence<UInt8>, shown: String? = nil) {
        entries.append(Entry(name: name, value: Array(value), shown: shown ?? "--\(name)"))
    }

    /// Gives an option one value in place of those that it has, or none.
    package mutating func set(_ option: PictureOption, to value: String?) {
        guard let value else { return entries.removeAll { $0.name == option.name } }
        guard let index = entries.firstIndex(where: { $0.name == option.name }) else {
            return add(option.name, value.utf8)
        }
        replace(at: index, with: value)
    }

    /// Gives one of the entries another value, or takes it away.
    mutating func replace(at index: Int, with value: String?) {
        let entry = entries.remove(at: index)
        guard let value else { return }
        entries.insert(Entry(name: entry.name, value: Array(value.utf8), shown: entry.shown), at: index)
    }

    /// Leaves out the entries that a condition does not name.
    mutating func keep(where isKept: (PictureOption) -> Bool) {
        entries.removeAll { entry in PictureOption.named(entry.name).map { !isKept($0) } ?? false }
    }

    /// Whether the option is given.
    package func has(_ option: PictureOption) -> Bool { entries.contains { $0.name == option.name } }

    /// The text of an option; the last one where it is given several times, nil where it is not given.
    package func text(_ option: PictureOption) -> String? {
        entries.last { $0.name == option.name }.map { String(decoding: $0.value, as: UTF8.self) }
    }

    /// Reads each value of an option that may be repeated.
    /// - Parameter read: is passed an entry and its number among several, for errors; nil where there is one.
    func each<Value>(
        _ option: PictureOption, _ read: (Entry, _ index: Int?) throws(ComposeError) -> Value
    ) throws(ComposeError) -> [Value] {
        let own = entries.filter { $0.name == option.name }
        var values: [Value] = []
        for (index, entry) in own.enumerated() { values.append(try read(entry, own.count > 1 ? index : nil)) }
        return values
    }
}

// MARK: - The words of a loupe

extension GivenOptions {
    /// The options that the words of a loupe give, such as `at=900,100 radius=180 rim=6:#fff`.
    /// - Parameter index: of the loupe among several, for errors.
    init(words entry: Entry, index: Int? = nil) throws(ComposeError) {
        self.init()
        let prefix = index.map { "\(entry.shown)[\($0)]" } ?? entry.shown
        var keys: [String] = []
        for word in PageName.words(of: String(decoding: entry.value, as: UTF8.self)) {
            let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let (key, text) = (sides[0], sides.count > 1 ? sides[1] : "")
            let shown = "\(prefix).\(key)"
            guard PictureOption.wordKeys.contains(key) else {
                throw ComposeError(
                    .usage, "\(shown): unknown key; allowed are \(PictureOption.wordKeys.joined(separator: ", "))")
            }
            guard !keys.contains(key) else {
                throw ComposeError(.usage, "\(shown): it is given twice; once is allowed")
            }
            keys.append(key)
            for (option, value) in try Self.parts(of: text, key: key, shown: shown) {
                add(option.name, value.utf8, shown: shown)
            }
            if key == "ring" { add(PictureOption.ring.name, "".utf8, shown: shown) }
        }
        guard !keys.isEmpty else { throw ComposeError(.usage, "\(prefix): it is empty; write words such as at=X,Y") }
    }

    /// The options between the colons of a word. The look of each part decides which option it is: a colour, `X,Y` a point,
    /// then a number, or else a name.
    private static func parts(
        of text: String, key: String, shown: String
    ) throws(ComposeError) -> [(PictureOption, String)] {
        let options = PictureOption.words.filter { $0.word == key }
        if options.count == 1, key != "grid" { return [(options[0], text)] }
        if options.count == 1, text.isEmpty { return [(.grid, "")] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        var found: [(PictureOption, String)] = []
        for part in parts where !part.isEmpty {
            guard let option = options.first(where: { $0.looksLike(part) }) else {
                throw ComposeError(
                    .usage,
                    "\(shown): '\(part)' is not allowed; write \(key)=\(options.map { $0.valueName }.joined(separator: ":"))"
                )
            }
            guard !found.contains(where: { $0.0.name == option.name }) else {
                throw ComposeError(.usage, "\(shown): '\(text)' has two values for \(option.name); one is allowed")
            }
            found.append((option, part))
        }
        if found.isEmpty, key == "mark" { return [(.mark, "")] }
        if found.isEmpty, key == "connector" { return [(.connector, "lines")] }
        return found
    }
}

extension PictureOption {
    /// Whether a part of a word looks as this option's values do.
    fileprivate func looksLike(_ part: String) -> Bool {
        switch value {
        case .color: Color(text: part) != nil || part.first == "#"
        case .point: part.contains("," as Character)
        case .number: Double(decimal: part) != nil
        case .choice: Double(decimal: part) == nil && Color(text: part) == nil && part.first != "#"
        default: false
        }
    }
}
