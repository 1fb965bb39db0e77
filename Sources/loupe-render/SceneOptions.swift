import ArgumentParser
import LoupeFigure
import LoupeSystem

// The options of a page and its loupes, as the command line has them: what each is, and what its values are, stands in the
// table `PictureOption`. Values stay texts until a `Request` reads them.

/// The flags of a page, which make a scene of it.
struct PageOptions: ParsableArguments {
    @Option(.canvas) var canvas: String?
    @Option(.margin) var margin: String?
    @Option(.background) var background: String?
    @Option(.frame) var frame: String?
    @Option(.corner) var corner: String?
    @Flag(.cornerKeepDiagonal) var cornerKeepDiagonal = false
    @Option(.pageFilter) var pageFilter: String?
    @Option(.blending) var blending: String?
}

/// The flags that put a loupe over the page.
struct LoupeOptions: ParsableArguments {
    @Option(.at) var at: String?
    @Option(.radius) var radius: String?
    @Option(.zoom) var zoom: String?
    @Option(.focus) var focus: String?
    @Option(.filter) var filter: String?
    @Option(.rimWidth) var rimWidth: String?
    @Option(.rimColor) var rimColor: String?
    @Option(.shadowBlur) var shadowBlur: String?
    @Option(.shadowColor) var shadowColor: String?
    @Option(.shadowOffset) var shadowOffset: String?
    @Option(.shape) var shape: String?
    @Option(.versus) var versus: String?
    @Option(.versusAngle) var versusAngle: String?
    @Option(.dividerWidth) var dividerWidth: String?
    @Option(.dividerColor) var dividerColor: String?
}

/// The flags of a callout, which ties a loupe to what it shows, and those for looking at single pixels.
struct CalloutOptions: ParsableArguments {
    @Option(parsing: .unconditionalSingleValue, help: ArgumentHelp(.callout))
    var callout: [String] = []

    @Option(.ringWidth) var ringWidth: String?
    @Option(.ringColor) var ringColor: String?
    @Option(.connector) var connector: String?
    @Option(.connectorWidth) var connectorWidth: String?
    @Option(.connectorColor) var connectorColor: String?
    @Flag(.grid) var grid = false
    @Option(.gridColor) var gridColor: String?
    @Flag(.mark) var mark = false
    @Option(.markWidth) var markWidth: String?
    @Option(.markColor) var markColor: String?
    @Option(.outside) var outside: String?
    @Option(.strokes) var strokes: String?
    @Option(.opacity) var opacity: String?
}

/// Several loupes with different properties, and the choice of their centres.
struct SeveralLoupesOptions: ParsableArguments {
    @Option(help: ArgumentHelp(.loupe)) var loupe: [String] = []
    @Option(.place) var place: String?
}

/// The flags about the default style, which fills in what other flags do not say about the look of loupes.
struct StyleOptions: ParsableArguments {
    @Option(.accent) var accent: String?
    @Flag(.plain) var plain = false
}

/// The flags about text in figures: letters, zoom factors and scale bars.
struct LabelOptions: ParsableArguments {
    @Option(.letters) var letters: String?
    @Flag(.zoomLabel) var zoomLabel = false
    @Option(.pixelSize) var pixelSize: String?
    @Option(.barCorner) var barCorner: String?
    @Option(.labelFont) var labelFont: String?
    @Option(.labelSize) var labelSize: String?
    @Option(.labelColor) var labelColor: String?
    @Option(.alt) var alt: String?
}

/// The flags that show the same place in several pages.
struct ComparedPagesOptions: ParsableArguments {
    @Option(.compareWith) var compareWith: String?
    @Option(.titles) var titles: String?
    @Option(.columns) var columns: String?
}

// MARK: - From the table to ArgumentParser

extension ArgumentHelp {
    /// The help of an option of the table.
    init(_ option: PictureOption) { self.init("\(option.help)", valueName: option.valueName) }
}

extension Option where Value == String? {
    /// An option of the table.
    init(_ option: PictureOption) {
        let completion: CompletionKind? =
            switch option.value {
            case .choice(let names): .list(names)
            case .path: .file()
            default: nil
            }
        let (name, help) = (NameSpecification.customLong(option.name), ArgumentHelp(option))
        if let alone = option.alone {
            self.init(name: name, defaultAsFlag: alone, parsing: .next, help: help, completion: completion)
        } else {
            self.init(
                name: name, parsing: option.value.isNumeric ? .unconditional : .next, help: help,
                completion: completion)
        }
    }
}

extension Flag where Value == Bool {
    /// A flag of the table.
    init(wrappedValue: Bool, _ option: PictureOption) {
        self.init(wrappedValue: wrappedValue, name: .customLong(option.name), help: ArgumentHelp(option))
    }
}

// MARK: - What was given

/// The property wrappers of options, flags and arguments, which give their values whatever their type is.
private protocol ArgumentWrapper {
    func visit(property: String, _ body: (_ property: String, _ value: Any, _ isOption: Bool) -> Void)
}

extension Option: ArgumentWrapper {
    fileprivate func visit(property: String, _ body: (String, Any, Bool) -> Void) { body(property, wrappedValue, true) }
}

extension Flag: ArgumentWrapper {
    fileprivate func visit(property: String, _ body: (String, Any, Bool) -> Void) { body(property, wrappedValue, true) }
}

extension Argument: ArgumentWrapper {
    fileprivate func visit(property: String, _ body: (String, Any, Bool) -> Void) {
        body(property, wrappedValue, false)
    }
}

extension OptionGroup: ArgumentWrapper {
    fileprivate func visit(property: String, _ body: (String, Any, Bool) -> Void) { wrappedValue.visit(body) }
}

extension ParsableArguments {
    /// Calls back for each property with its name and value, and whether it is an option or a flag.
    func visit(_ body: (_ property: String, _ value: Any, _ isOption: Bool) -> Void) {
        for child in Mirror(reflecting: self).children {
            // A wrapped property `radius` is stored as `_radius`.
            (child.value as? any ArgumentWrapper)?.visit(property: String(child.label?.dropFirst() ?? ""), body)
        }
    }
}

extension GivenOptions {
    /// The options of some groups that were given, in the order of their declarations.
    init(_ groups: any ParsableArguments...) {
        self.init()
        for group in groups {
            group.visit { property, value, _ in
                let texts =
                    value as? [String] ?? (value as? String).map { [$0] } ?? (value as? Bool == true ? [""] : [])
                for text in texts { add(property.asOption, Arguments.bytes(of: text)) }
            }
        }
    }

    /// The options as on the command line, without values.
    var flags: [String] { entries.map { "--\($0.name)" } }
}

extension String {
    /// The option of a property: `rim-width` for `rimWidth`.
    var asOption: String {
        reduce(into: "") { name, letter in name += letter.isUppercase ? "-\(letter.lowercased())" : String(letter) }
    }
}
