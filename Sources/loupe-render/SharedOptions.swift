import ArgumentParser
import LoupeRenderer

struct DeviceOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "auto: the first that works, hardware before software; cpu: a software renderer; N: by its number in `loupe-render devices`; or /dev/dri/renderDN.",
            valueName: "auto|cpu|N|/dev/dri/renderDN"))
    var device = DeviceChoice.auto
}

extension DeviceChoice: ExpressibleByArgument {
    public var defaultValueDescription: String { description }
}
