import LoupeBase
import LoupeScene

/// The values of options as somebody wrote them, and their reading. Every reading function returns nil for an option that is
/// not given, and throws a `ComposeError` for a value that is none.
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

    /// How errors name an option.
    func shown(_ option: PictureOption) -> String { entry(option)?.shown ?? option.flag }

    /// The first of some options that is given, as errors name it.
    func first(of options: [PictureOption]) -> String? { options.first(where: has).map(shown) }

    /// The last value of an option, which is the one that counts.
    private func entry(_ option: PictureOption) -> Entry? { entries.last { $0.name == option.name } }

    private func read<Value>(_ option: PictureOption, _ parse: (String) -> Value?) throws(ComposeError) -> Value? {
        guard let entry = entry(option) else { return nil }
        return try Self.read(entry, option, parse)
    }

    private static func read<Value>(
        _ entry: Entry, _ option: PictureOption, _ parse: (String) -> Value?
    ) throws(ComposeError) -> Value {
        let text = String(decoding: entry.value, as: UTF8.self)
        guard let value = parse(text) else {
            throw ComposeError(.usage, "\(entry.shown): \(option.value.refusal(of: text))")
        }
        return value
    }
}

extension GivenOptions {
    /// A number in the option's range.
    /// - Parameters:
    ///   - narrower: a range that depends on other options.
    func number(_ option: PictureOption, in narrower: ClosedRange<Double>? = nil) throws(ComposeError) -> Double? {
        guard let number = try read(option, Self.number) else { return nil }
        guard case .number(let own, _) = option.value else { return number }
        return try checked(number, option, in: narrower ?? own)
    }

    /// A number, with or without the unit that people write after it: `4x`, `100px`.
    private static func number(_ text: String) -> Double? {
        let unit = ["px", "x", "×"].first { text.hasSuffix($0) } ?? ""
        return Double(decimal: text.dropLast(unit.count))
    }

    /// Sets the fields of a loupe that options say.
    func setFields(of loupe: inout Loupe) throws(ComposeError) {
        for option in PictureOption.words {
            guard let path = option.field, let value = try field(option) else { continue }
            do throws(DocumentError) {
                loupe = try SceneFields.loupe.setting(path, to: value, of: loupe)
            } catch {
                throw ComposeError(.usage, "\(shown(option)): \(error.problem)")
            }
        }
    }

    /// A value as a scene's document writes it.
    private func field(_ option: PictureOption) throws(ComposeError) -> JSONValue? {
        switch option.value {
        case .number: try number(option).map(JSONValue.number)
        case .color: try color(option).map { .string($0.hex) }
        case .point: try offset(option).map { [.number($0.dx), .number($0.dy)] }
        default: try chosenText(option).map(JSONValue.string)
        }
    }

    /// A number, if it is in a range.
    func checked(
        _ number: Double, _ option: PictureOption, in range: ClosedRange<Double>
    ) throws(ComposeError) -> Double {
        guard range.contains(number) else {
            let value = number.isFinite ? number.jsonText : "\(number)"
            throw ComposeError(
                .usage,
                "\(shown(option)): \(value) is out of range; allowed is \(range.lowerBound.jsonText)…\(range.upperBound.jsonText)"
            )
        }
        return number
    }

    func integer(_ option: PictureOption) throws(ComposeError) -> Int? {
        guard let number = try read(option, { Int($0) }), case .integer(let range) = option.value else { return nil }
        let reals = Double(range.lowerBound)...Double(range.upperBound)
        return Int(try checked(Double(number), option, in: reals))
    }

    func color(_ option: PictureOption) throws(ComposeError) -> Color? { try read(option) { Color(text: $0) } }

    func size(_ option: PictureOption) throws(ComposeError) -> ImageSize? { try read(option, ImageSize.init(text:)) }

    func shape() throws(ComposeError) -> GivenShape? { try read(.shape, GivenShape.init(text:)) }

    func corner() throws(ComposeError) -> GivenCorner? { try read(.corner, GivenCorner.init(text:)) }

    func offset(_ option: PictureOption) throws(ComposeError) -> Vector? {
        try read(option, Position.coordinates).map { Vector(dx: $0.x, dy: $0.y) }
    }

    func position(_ option: PictureOption) throws(ComposeError) -> Position? { try read(option, Position.init(text:)) }

    func focus(_ option: PictureOption) throws(ComposeError) -> FocusTarget? {
        try read(option, FocusTarget.init(text:))
    }

    /// All callouts.
    func callouts() throws(ComposeError) -> [GivenCallout] {
        let given = entries.filter { $0.name == PictureOption.callout.name }
        var callouts: [GivenCallout] = []
        for (index, entry) in given.enumerated() {
            let (target, words) = CalloutTarget.parts(of: String(decoding: entry.value, as: UTF8.self))
            let aim = Entry(name: entry.name, value: Array(target.utf8), shown: entry.shown)
            var callout = GivenCallout(
                target: try Self.read(aim, .callout, CalloutTarget.init(text:)), own: GivenOptions())
            if !words.isEmpty {
                let own = Entry(name: entry.name, value: Array(words.utf8), shown: entry.shown)
                callout.own = try GivenOptions(words: own, index: given.count > 1 ? index : nil)
                try callout.own.check()
            }
            if let word = callout.own.first(of: [.at, .focus]) {
                throw ComposeError(.usage, "\(word): the callout says that before its words; leave it out")
            }
            callouts.append(callout)
        }
        return callouts
    }

    /// These options, and in place of some of them those of a loupe's own words.
    func overridden(by own: GivenOptions) -> GivenOptions {
        var result = self
        // Each of both says how large the loupe is.
        let size: [PictureOption] = [.radius, .shape]
        if own.first(of: size) != nil { result.entries.removeAll { entry in size.contains { $0.name == entry.name } } }
        result.entries += own.entries
        return result
    }

    func choice<Choice: RawRepresentable<String>>(_ option: PictureOption) throws(ComposeError) -> Choice? {
        try read(option, Choice.init(rawValue:))
    }

    func frame(on kind: PageTone.Kind = .light) throws(ComposeError) -> PageFrame? {
        try read(.frame) { PageFrame(text: $0, on: kind) }
    }

    /// A colour, or nil for that of the page's kind.
    func accent() throws(ComposeError) -> Color?? {
        try read(.accent) { $0 == "auto" ? .some(nil) : Color(text: $0).map(Optional.some) }
    }

    /// A length, or nil for that of the page's file.
    func pixelSize() throws(ComposeError) -> PhysicalLength?? {
        try read(.pixelSize) { $0 == "auto" ? .some(nil) : PhysicalLength(text: $0).map(Optional.some) }
    }

    package func family() throws(ComposeError) -> String? {
        try read(.labelFont) { TextStyle.isFamily($0) ? $0 : nil }
    }

    /// The position of scale bars; nil for auto.
    func barCorner() throws(ComposeError) -> CornerPosition? {
        let corner = try read(.barCorner) { name -> CornerPosition?? in
            name == "auto" ? .some(nil) : CornerPosition.allCases.first { $0.optionName == name }.map(Optional.some)
        }
        return corner ?? nil
    }

    package func texts(_ option: PictureOption) throws(ComposeError) -> [String]? {
        try read(option) { text in
            let texts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return texts.allSatisfy { Label.problem(with: $0) == nil } ? texts : nil
        }
    }

    /// Paths between commas. A name with a comma can't be among them.
    package func paths(_ option: PictureOption) throws(ComposeError) -> [ImagePath]? {
        guard let entry = entry(option) else { return nil }
        let parts = entry.value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && !$0.elementsEqual("-".utf8) }) else {
            return try Self.read(entry, option) { _ in nil }
        }
        return parts.map { ImagePath(bytes: Array($0)) }
    }

    /// A path of any bytes.
    package func path(_ option: PictureOption) -> ImagePath? { entry(option).map { ImagePath(bytes: $0.value) } }

    package func text(_ option: PictureOption) -> String? {
        entry(option).map { String(decoding: $0.value, as: UTF8.self) }
    }
}

extension GivenOptions {
    /// Reads every value once, so that a wrong one is named before a file is opened.
    func check() throws(ComposeError) {
        for entry in entries {
            guard let option = PictureOption.named(entry.name) else { continue }
            var one = GivenOptions()
            one.entries = [entry]
            switch option.value {
            case .number: _ = try one.read(option, Self.number)
            case .integer: _ = try one.integer(option)
            case .point: _ = try one.offset(option)
            case .position: _ = try one.position(option)
            case .focus: _ = try one.focus(option)
            case .color: _ = try one.color(option)
            case .choice(let names): _ = try one.read(option) { names.contains($0) ? $0 : nil }
            case .corner: _ = try one.corner()
            case .size: _ = try one.size(option)
            case .shape: _ = try one.shape()
            case .frame: _ = try one.frame()
            case .accent: _ = try one.accent()
            case .pixelSize: _ = try one.pixelSize()
            case .family: _ = try one.family()
            case .texts: _ = try one.texts(option)
            case .paths: _ = try one.paths(option)
            case .text:
                if let problem = Label.problem(with: one.text(option) ?? "") {
                    throw ComposeError(.usage, "\(entry.shown): \(problem)")
                }
            // A request reads callouts and words itself.
            case .callout, .words, .path, .none: break
            }
        }
    }
}

extension ImageSize {
    /// `WxH`, whole pixels.
    package init?(text: String) {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
        self.init(width: width, height: height)
    }
}
