import ArgumentParser
import LoupeGeometry
import LoupeScene

/// The flags that tie a loupe to what it shows, and those for looking at single pixels.
struct CalloutOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A loupe at CX,CY that shows FX,FY, with a ring around that and lines to it; again for another one. Without @CX,CY it needs --place auto.",
            valueName: "FX,FY@CX,CY"))
    var callout: [CalloutPlace] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The ring's width in canvas pixels, 0.001 to 1024. Default: 3.", valueName: "W"))
    var ringWidth: Double?

    @Option(help: ArgumentHelp("The ring's colour. Default: #ffffff.", valueName: "COLOR"))
    var ringColor: Color?

    @Option(help: ArgumentHelp("lines, cone, arrow or none. Default for --callout: lines.", valueName: "STYLE"))
    var connector: ConnectorChoice?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Of lines and arrow, in canvas pixels, 0.001 to 1024. Default: 2.", valueName: "W"))
    var connectorWidth: Double?

    @Option(
        help: ArgumentHelp("The connector's colour. Default: #ffffff, and #ffffff66 for a cone.", valueName: "COLOR"))
    var connectorColor: Color?

    @Flag(help: "Lines on the borders of the page's pixels, from 4 canvas pixels a page pixel on.")
    var grid = false

    @Flag(help: "A frame around the page's pixel in the loupe's centre.")
    var mark = false

    @Option(
        help: ArgumentHelp(
            "Beyond the page a loupe shows the background, or what lies under it (transparent), or moves its view to stay on the page (clamp). Default: background.",
            valueName: "background|transparent|clamp"))
    var outside: Outside?

    /// The flags that were given, as they are written on the command line.
    var given: [String] {
        [
            callout.isEmpty ? nil : "--callout", ringWidth.map { _ in "--ring-width" },
            ringColor.map { _ in "--ring-color" }, connector.map { _ in "--connector" },
            connectorWidth.map { _ in "--connector-width" }, connectorColor.map { _ in "--connector-color" },
            grid ? "--grid" : nil, mark ? "--mark" : nil, outside.map { _ in "--outside" },
        ].compactMap(\.self)
    }

    /// Gives a loupe what the flags say.
    func adorn(_ loupe: inout Loupe) throws {
        if grid { loupe.grid = TexelGrid() }
        if mark { loupe.mark = TexelMark() }
        loupe.outside = outside ?? .background
        let hasRing = !callout.isEmpty || ringWidth != nil || ringColor != nil
        let made = Callout(ring: hasRing ? try ring : nil, connector: try connectorOfLoupe)
        if made != Callout() { loupe.callout = made }
    }

    private var ring: Callout.Ring {
        get throws {
            var ring = Callout.Ring()
            if let ringWidth { ring.width = try FlagValue.checked("--ring-width", ringWidth, in: Callout.widthRange) }
            if let ringColor { ring.color = ringColor }
            return ring
        }
    }

    private var connectorOfLoupe: Connector? {
        get throws {
            guard let style = (connector ?? (callout.isEmpty ? .none : .lines)).style else {
                let flags = [
                    connectorWidth.map { _ in "--connector-width" }, connectorColor.map { _ in "--connector-color" },
                ]
                guard let flag = flags.compactMap(\.self).first else { return nil }
                throw Failure(.usage, "\(flag): there is no connector; say which with --connector lines, cone or arrow")
            }
            if style == .cone, connectorWidth != nil {
                throw Failure(.usage, "--connector-width: a cone has no width; leave it out")
            }
            let width = try FlagValue.checked(
                "--connector-width", connectorWidth ?? Connector.defaultWidth, in: Callout.widthRange)
            return Connector(style.shape(width: width), color: connectorColor)
        }
    }
}

/// `FX,FY@CX,CY`, or `FX,FY` for a loupe that is to be placed.
struct CalloutPlace: ExpressibleByArgument {
    let focus: Point
    let center: Point?

    init?(argument: String) {
        let sides = argument.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        guard sides.count <= 2, let focus = Coordinates(argument: sides[0]) else { return nil }
        let center = sides.dropFirst().first.map(Coordinates.init(argument:))
        if case .some(.none) = center { return nil }
        self.focus = focus.point
        self.center = center??.point
    }
}

/// A connector's style, or none.
enum ConnectorChoice: String, ExpressibleByArgument, CaseIterable {
    case lines, cone, arrow, none

    var style: Connector.Style? { Connector.Style(rawValue: rawValue) }
}

extension Outside: ExpressibleByArgument {}
