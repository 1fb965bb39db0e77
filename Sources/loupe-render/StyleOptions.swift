import ArgumentParser
import LoupePlan
import LoupeScene

/// The flags about the default style, which fills in what other flags do not say about the look of loupes.
struct StyleOptions: ParsableArguments {
    @Option(.accent) var accent: Accent?
    @Flag(.plain) var plain = false

    /// The style of loupes whose given parts are known; nil for none.
    /// - Parameter loupes: as the flags make them.
    func style(of loupes: [Loupe], given: [DefaultStyle.Parts]) throws -> DefaultStyle? {
        if let accent {
            if plain { throw Failure(.usage, "--accent: --plain leaves the default style out; leave out one of them") }
            let isSeen = zip(loupes, given).contains { loupe, given in
                loupe.callout?.ring != nil && !given.contains(.ringColor)
                    || loupe.callout?.connector != nil && !given.contains(.connectorColor)
            }
            guard isSeen else {
                throw Failure(
                    .usage,
                    "--accent: there is no ring or connector without a colour of its own; add one with --callout or --ring-width W"
                )
            }
            return DefaultStyle(given: given, accent: accent)
        }
        return plain ? nil : DefaultStyle(given: given)
    }
}

extension Accent: ExpressibleByArgument {
    public init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else if let color = Color(argument: argument) {
            self = .color(color)
        } else {
            return nil
        }
    }
}
