import ArgumentParser

/// The flags about what is written beside the pixels.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Leave the scene, the program and the device out of the PNG; they are stored in it as texts otherwise.")
    var noMetadata = false

    @Option(
        help: ArgumentHelp(
            "Write which point of the page each output pixel shows, as JSON; - is standard output.", valueName: "path"))
    var map: String?
}
