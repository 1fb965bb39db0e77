import ArgumentParser
import LoupeBench
import LoupeRenderer
import LoupeScene

struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Times the clip shaders.")
    @OptionGroup var device: DeviceOptions
    func run() throws { try BenchTrial.run(device.device) }
}
