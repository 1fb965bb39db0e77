import ArgumentParser
import LoupeScene

/// The flags about what is written beside the pixels.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Leave the scene, the program and the device out of the PNG; they are stored in it as texts otherwise.")
    var noMetadata = false

    @Option(
        help: ArgumentHelp(
            "Write which point of the page each output pixel shows, as JSON; - is standard output.", valueName: "path"))
    var map: String?

    @Option(
        help: ArgumentHelp(
            "Bits a channel of the PNG: with 16, pages of 16 bits keep them all the way.", valueName: "8|16"))
    var depth = SampleDepth.eight
}

extension SampleDepth: ExpressibleByArgument {}
