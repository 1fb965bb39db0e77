import LoupeBase
import LoupeScene

/// The values of options, each read once: those of a page, or of one of its loupes. An option that is not given is nil.
package struct OptionValues: Hashable, Sendable {
    /// The last value that was given of an option, which is the one that counts.
    private struct Value: Hashable, Sendable {
        let value: OptionValue
        /// How errors name the option.
        let shown: String
    }

    private var values: [String: Value] = [:]
    /// Whether the options come from flags and not from the words of a loupe.
    private(set) var isOfFlags = true

    /// Reads the text of every option.
    /// - Throws: what is wrong with the first text that is no value.
    package init(_ given: GivenOptions) throws(ComposeError) {
        for entry in given.entries {
            values[entry.name] = Value(value: try OptionValue(entry), shown: entry.shown)
            if entry.name != PictureOption.loupe.name, entry.shown.hasPrefix("--loupe") { isOfFlags = false }
        }
    }

    /// These options, and in place of some of them those of a loupe's own words.
    func overridden(by own: OptionValues) -> OptionValues {
        var result = self
        // Each of both says how large the loupe is.
        let size: [PictureOption] = [.radius, .shape]
        if own.first(of: size) != nil { for option in size { result.values[option.name] = nil } }
        for (name, value) in own.values { result.values[name] = value }
        return result
    }

    /// These options, with a number for one of them.
    func with(_ option: PictureOption, _ number: Double) -> OptionValues {
        var result = self
        result.values[option.name] = Value(value: .number(number), shown: option.flag)
        return result
    }

    /// Whether the option is given.
    package func has(_ option: PictureOption) -> Bool { values[option.name] != nil }

    /// How errors name an option.
    func shown(_ option: PictureOption) -> String { values[option.name]?.shown ?? option.flag }

    /// The first of some options that is given, as errors name it.
    func first(of options: [PictureOption]) -> String? { options.first(where: has).map(shown) }

    private subscript(_ option: PictureOption) -> OptionValue? { values[option.name]?.value }
}

extension OptionValues {
    func number(_ option: PictureOption) -> Double? {
        if case .number(let number) = self[option] { number } else { nil }
    }

    func integer(_ option: PictureOption) -> Int? {
        if case .integer(let number) = self[option] { number } else { nil }
    }

    func position(_ option: PictureOption) -> Position? {
        if case .position(let position) = self[option] { position } else { nil }
    }

    var focus: FocusTarget? { if case .focus(let focus) = self[.focus] { focus } else { nil } }

    func color(_ option: PictureOption) -> Color? { if case .color(let color) = self[option] { color } else { nil } }

    /// A text, the name of a choice, or the family of a font.
    package func text(_ option: PictureOption) -> String? {
        if case .text(let text) = self[option] { text } else { nil }
    }

    func choice<Choice: RawRepresentable<String>>(_ option: PictureOption) -> Choice? {
        text(option).flatMap(Choice.init(rawValue:))
    }

    package func texts(_ option: PictureOption) -> [String]? {
        if case .texts(let texts) = self[option] { texts } else { nil }
    }

    var versus: ImagePath? { if case .paths(let paths) = self[.versus] { paths.first } else { nil } }

    /// The pages beside the input; empty where none is given.
    package var compared: [ImagePath] { if case .paths(let paths) = self[.compareWith] { paths } else { [] } }

    var corner: GivenCorner? { if case .corner(let corner) = self[.corner] { corner } else { nil } }

    var canvas: ImageSize? { if case .size(let size) = self[.canvas] { size } else { nil } }

    var shape: GivenShape? { if case .shape(let shape) = self[.shape] { shape } else { nil } }

    /// - Parameter tone: of the page, which decides where the option does not.
    func frame(on tone: PageTone) -> PageFrame? {
        guard case .frame(let frame) = self[.frame] else { return nil }
        return frame ?? (tone.isDark ? .dark : .light)
    }

    /// Nil for a colour for the page's kind.
    var accent: Color? { if case .accent(let color) = self[.accent] { color } else { nil } }

    /// The length of a pixel; within, nil for that of the page's file.
    var pixelSize: PhysicalLength?? { if case .pixelSize(let length) = self[.pixelSize] { length } else { nil } }

    /// The position of scale bars; nil for auto.
    var barCorner: CornerPosition? {
        text(.barCorner).flatMap { name in CornerPosition.allCases.first { $0.optionName == name } }
    }

    /// Sets the fields of a loupe that options say.
    func setFields(of loupe: inout Loupe) throws(ComposeError) {
        var fields: [(path: String, value: JSONValue)] = []
        for option in PictureOption.words {
            guard let path = option.field, let value = self[option]?.json else { continue }
            fields.append((path, value))
        }
        do throws(DocumentError) {
            loupe = try SceneFields.loupe.setting(fields, of: loupe)
        } catch {
            let option = PictureOption.words.first { option in
                if case .key(let path) = error.position { option.field == path } else { false }
            }
            throw ComposeError(.usage, "\(option.map(shown) ?? "--loupe"): \(error.problem)")
        }
    }
}

/// Ranges that depend on more than the option.
extension OptionValues {
    /// A length, if it is in a range.
    func checked(
        _ number: Double, _ option: PictureOption, in range: ClosedRange<Double>
    ) throws(ComposeError) -> Double {
        try number.checked(in: range, shown(option))
    }

    /// Radii that fit a rect.
    func checked(
        _ radii: CornerRadii, _ option: PictureOption, fitting rect: Rect
    ) throws(ComposeError) -> CornerRadii {
        if let radius = radii.uniform {
            return CornerRadii(try checked(radius, option, in: 0...(rect.shorterSide / 2)))
        }
        guard radii.fitted(width: rect.width, height: rect.height) == radii else {
            throw ComposeError(
                .usage,
                "\(shown(option)): two corners are together longer than an edge of \(rect.width.jsonText)×\(rect.height.jsonText)"
            )
        }
        return radii
    }
}

/// A value of an option, of one of the kinds of `PictureOption.Value`.
enum OptionValue: Hashable, Sendable {
    case number(Double)
    case integer(Int)
    case vector(Vector)
    case position(Position)
    case focus(FocusTarget)
    case color(Color)
    /// Also the name of a choice, or the family of a font.
    case text(String)
    case texts([String])
    case paths([ImagePath])
    case corner(GivenCorner)
    case size(ImageSize)
    case shape(GivenShape)
    /// Nil for one that suits the page's kind.
    case frame(PageFrame?)
    /// Nil for the colours that suit the page's kind.
    case accent(Color?)
    /// Nil for that of the page's file.
    case pixelSize(PhysicalLength?)
    /// Of an option without a value, and of callouts and loupes, which a request reads itself.
    case given

    /// - Throws: what is wrong with a text that is no such value.
    init(_ entry: GivenOptions.Entry) throws(ComposeError) {
        guard let option = PictureOption.named(entry.name) else {
            self = .given
            return
        }
        let text = String(decoding: entry.value, as: UTF8.self)
        guard let value = OptionValue(text, entry.value, as: option.value) else {
            throw ComposeError(.usage, "\(entry.shown): \(option.value.refusal(of: text))")
        }
        switch (option.value, value) {
        case (.number(let range, _), .number(let number)): _ = try number.checked(in: range, entry.shown)
        case (.integer(let range), .integer(let number)):
            let reals = Double(range.lowerBound)...Double(range.upperBound)
            _ = try Double(number).checked(in: reals, entry.shown)
        case (.text, _):
            if let problem = Label.problem(with: text) { throw ComposeError(.usage, "\(entry.shown): \(problem)") }
        default: break
        }
        self = value
    }

    /// Nil for a text that is no such value. A number may be out of range.
    private init?(_ text: String, _ bytes: [UInt8], as kind: PictureOption.Value) {
        let value: OptionValue? =
            switch kind {
            case .number: Self.number(text).map { .number($0) }
            case .integer: Int(text).map { .integer($0) }
            case .point: Position.coordinates(text).map { .vector($0 - .zero) }
            case .position: Position(text: text).map { .position($0) }
            case .focus: FocusTarget(text: text).map { .focus($0) }
            case .color: Color(text: text).map { .color($0) }
            case .choice(let names): names.contains(text) ? .text(text) : nil
            case .corner: GivenCorner(text: text).map { .corner($0) }
            case .size: ImageSize(text: text).map { .size($0) }
            case .shape: GivenShape(text: text).map { .shape($0) }
            case .frame: ["auto", ""].contains(text) ? .frame(nil) : PageFrame(text: text).map { .frame($0) }
            case .accent: text == "auto" ? .accent(nil) : Color(text: text).map { .accent($0) }
            case .pixelSize: text == "auto" ? .pixelSize(nil) : PhysicalLength(text: text).map { .pixelSize($0) }
            case .family: TextStyle.isFamily(text) ? .text(text) : nil
            case .texts: Self.texts(text).map { .texts($0) }
            case .path: .paths([ImagePath(bytes: bytes)])
            case .paths: Self.paths(bytes).map { .paths($0) }
            case .text: .text(text)
            case .callout, .words, .none: .given
            }
        guard let value else { return nil }
        self = value
    }

    /// A number, with or without the unit that people write after it: `4x`, `100px`.
    private static func number(_ text: String) -> Double? {
        let unit = ["px", "x", "×"].first { text.hasSuffix($0) } ?? ""
        return Double(decimal: text.dropLast(unit.count))
    }

    private static func texts(_ text: String) -> [String]? {
        let texts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return texts.allSatisfy { Label.problem(with: $0) == nil } ? texts : nil
    }

    /// Paths between commas. A name with a comma can't be among them.
    private static func paths(_ bytes: [UInt8]) -> [ImagePath]? {
        let parts = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && !$0.elementsEqual("-".utf8) }) else { return nil }
        return parts.map { ImagePath(bytes: Array($0)) }
    }

    /// As the document of a scene has it; nil for a value that no field of a loupe has.
    fileprivate var json: JSONValue? {
        switch self {
        case .number(let number): .number(number)
        case .color(let color): .string(color.hex)
        case .vector(let vector): [.number(vector.dx), .number(vector.dy)]
        case .text(let text): .string(text)
        default: nil
        }
    }
}

extension Double {
    /// The number, if it is in a range.
    /// - Parameter shown: how errors name the option.
    fileprivate func checked(in range: ClosedRange<Double>, _ shown: String) throws(ComposeError) -> Double {
        guard range.contains(self) else {
            let value = isFinite ? jsonText : "\(self)"
            throw ComposeError(
                .usage,
                "\(shown): \(value) is out of range; allowed is \(range.lowerBound.jsonText)…\(range.upperBound.jsonText)"
            )
        }
        return self
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
