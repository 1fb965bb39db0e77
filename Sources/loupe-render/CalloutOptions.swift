import ArgumentParser
import LoupeGeometry
import LoupePlan
import LoupeScene

/// The flags of a callout, which ties a loupe to what it shows, and those for looking at single pixels.
struct CalloutOptions: ParsableArguments {
    @Option(parsing: .unconditionalSingleValue, help: PictureOption.callout.help)
    var callout: [CalloutPlace] = []

    @Option(.ringWidth) var ringWidth: Double?
    @Option(.ringColor) var ringColor: Color?
    @Option(.connector) var connector: ConnectorChoice?
    @Option(.connectorWidth) var connectorWidth: Double?
    @Option(.connectorColor) var connectorColor: Color?
    @Flag(.grid) var grid = false
    @Flag(.mark) var mark = false
    @Option(.outside) var outside: Outside?

    /// Gives a loupe what the flags say.
    func adorn(_ loupe: inout Loupe) throws {
        if grid { loupe.grid = TexelGrid() }
        if mark { loupe.mark = TexelMark() }
        loupe.outside = outside ?? .background
        let hasRing = !callout.isEmpty || ringWidth != nil || ringColor != nil
        let made = Callout(ring: hasRing ? try ring : nil, connector: try connectorOfLoupe)
        if made != Callout() { loupe.callout = made }
    }

    /// What the default style leaves alone.
    var givenParts: DefaultStyle.Parts {
        var parts: DefaultStyle.Parts = []
        if ringWidth != nil { parts.insert(.ringWidth) }
        if ringColor != nil { parts.insert(.ringColor) }
        if connectorWidth != nil { parts.insert(.connectorWidth) }
        if connectorColor != nil { parts.insert(.connectorColor) }
        return parts
    }

    private var ring: Callout.Ring {
        get throws {
            var ring = Callout.Ring()
            if let ringWidth { ring.width = try PictureOption.ringWidth.checked(ringWidth) }
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
            let width = try PictureOption.connectorWidth.checked(connectorWidth ?? Connector.defaultWidth)
            return Connector(style.shape(width: width), color: connectorColor)
        }
    }
}

/// `FX,FY@CX,CY`, or `FX,FY` for a loupe that is to be placed; both in any of their forms.
struct CalloutPlace: ExpressibleByArgument {
    let focus: FocusArgument
    let center: Position?

    init?(argument: String) {
        let sides = argument.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        guard sides.count <= 2, let focus = FocusArgument(argument: sides[0]) else { return nil }
        let center = sides.dropFirst().first.map(Position.init(argument:))
        if case .some(.none) = center { return nil }
        self.focus = focus
        self.center = center ?? nil
    }
}

/// A connector's style, or none.
enum ConnectorChoice: String, ExpressibleByArgument, CaseIterable {
    case lines, cone, arrow, none

    var style: Connector.Style? { Connector.Style(rawValue: rawValue) }
}

extension Outside: ExpressibleByArgument {}
