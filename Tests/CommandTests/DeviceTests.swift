import LoupeBase
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

extension Workplace {
    fileprivate func expectFailedDevices(_ outcome: Command.Outcome) {
        #expect(outcome.code == 69 && outcome.errors.hasPrefix("loupe-render: error: no OpenGL ES 3.0 device works"))
    }
}

/// `--device`, `--reference` and `loupe-render devices`.
@Suite struct DeviceTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    @Test func referenceRendererAgreesWithTheGPU() throws {
        let flags = ["--margin", "8", "--corner", "6", "--at", "20,15", "--radius", "9", "--rim-width", "1"]
        for (name, flag) in [("gpu.png", "--device=auto"), ("cpu.png", "--device=cpu"), ("double.png", "--reference")] {
            place.run(["page.png", "-o", name, flag] + flags)
        }
        let exact = try place.image("double.png")
        for name in ["gpu.png", "cpu.png"] {
            let drawn = try place.image(name)
            #expect(zip(drawn.pixels, exact.pixels).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
        }
    }

    @Test func devicesSaysHowToFixWhatKeepsEveryDeviceFromWorking() throws {
        let nothing = ["__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent.json"]
        let outcome = place.command.run("devices", environment: nothing)
        place.expectFailedDevices(outcome)
        #expect(outcome.text.contains("  /nonexistent.json: can't be used: No such file or directory\n"))
        #expect(outcome.text.contains("  __EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent.json: libglvnd reads"))
        #expect(outcome.text.contains(": unset __EGL_VENDOR_LIBRARY_FILENAMES\n"))
        place.expectFailure(
            ["page.png", "-o", "out.png", "--no-fallback"], 69, naming: "loupe-render devices", environment: nothing)
    }

    @Test func devicesNamesEveryCandidateAndTheChosenOne() throws {
        let table = place.run("devices")
        #expect(table.text.contains("* ") && table.text.contains("renderer") && table.text.contains("limits"))
        let json = place.run("devices", "--json")
        #expect(
            try JSONValue(parsing: json.output).keys == [
                "candidates", "chosen", "reason", "libraries", "vendorFiles", "variables", "deviceFiles", "troubles",
                "sandbox",
            ])
    }
}
