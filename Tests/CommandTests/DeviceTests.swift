import LoupeImaging
import LoupeScene
import Testing

/// `--device`, `--reference` and `loupe-render devices`.
@Suite struct DeviceTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    @Test func referenceRendererAgreesWithTheGPU() throws {
        let flags = ["--margin", "8", "--corner-radius", "6", "--at", "20,15", "--radius", "9", "--rim-width", "1"]
        for (name, flag) in [("gpu.png", "--device=auto"), ("cpu.png", "--device=cpu"), ("double.png", "--reference")] {
            place.expectSuccess(place.command.run(["page.png", "-o", name, flag] + flags))
        }
        let exact = try place.image("double.png")
        for name in ["gpu.png", "cpu.png"] {
            let drawn = try place.image(name)
            #expect(zip(drawn.pixels, exact.pixels).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
        }
    }

    @Test func devicesNamesEveryCandidateAndTheChosenOne() throws {
        let table = place.command.run("devices")
        place.expectSuccess(table)
        #expect(table.text.contains("* ") && table.text.contains("renderer") && table.text.contains("limits"))
        let json = place.command.run("devices", "--json")
        place.expectSuccess(json)
        #expect(try JSONValue(parsing: json.output).keys == ["candidates", "chosen", "reason"])
    }
}
