import LoupeRenderer
import Testing

@Suite struct DeviceChoiceTests {
    @Test(arguments: [
        ("auto", DeviceChoice.auto), ("cpu", .cpu), ("0", .index(0)), ("12", .index(12)),
        ("/dev/dri/renderD128", .path("/dev/dri/renderD128")),
    ])
    func readsAndWritesTheSameArgument(argument: String, choice: DeviceChoice) {
        #expect(DeviceChoice(argument: argument) == choice)
        #expect(choice.description == argument)
    }

    @Test(arguments: ["", "gpu", "AUTO", "-1", "+1", "1.5", "renderD128", "/etc/passwd", "99999999999999999999"])
    func refusesAnythingElse(argument: String) {
        #expect(DeviceChoice(argument: argument) == nil)
    }
}
