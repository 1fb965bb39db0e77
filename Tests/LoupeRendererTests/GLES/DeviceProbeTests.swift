import CEGL
import Glibc
import LoupeSystem
import TestSupport
import Testing

@testable import LoupeRenderer

@Suite struct DeviceProbeTests {
    @Test func reportTriesEveryCandidateAndChoosesTheFirstThatWorks() throws {
        let report = DeviceProbe.report()
        #expect(report.candidates.map(\.index) == Array(report.candidates.indices))
        #expect(!report.candidates.contains { $0.outcome == .untried })
        let works = report.candidates.filter { if case .works = $0.outcome { true } else { false } }
        #expect(report.chosen == works.first?.index)
        #expect(report.reason == "it is the first candidate that works")
    }

    @Test func candidatesStandInTheOrderOfPlatforms() {
        let platforms = DeviceProbe.report().candidates.map(\.platform)
        let order = platforms.compactMap(DevicePlatform.allCases.firstIndex(of:))
        #expect(order == order.sorted())
        #expect(platforms.contains(.surfaceless) && platforms.last == .default)
    }

    @Test func reportAgreesWithTheContextOfTheSameChoice() throws {
        for choice in [DeviceChoice.auto, .cpu] {
            let report = DeviceProbe.report(choice: choice)
            let chosen = try #require(report.chosen)
            let info = try Context(choice).info
            #expect(report.candidates[chosen].outcome == .works(info))
        }
    }

    @Test func everyWorkingCandidateCanBeChosenByItsIndex() throws {
        for candidate in DeviceProbe.report().candidates {
            guard case .works(let info) = candidate.outcome else { continue }
            #expect(try Context(.index(candidate.index)).info == info)
        }
    }

    @Test func indexOutOfRangeFailsWithTheTable() throws {
        let error = try #require(thrown(EGLError.self) { _ = try Context(.index(99)) })
        let count = error.candidates.count
        #expect(count >= 2)
        #expect(error.candidates.allSatisfy { $0.outcome == .untried })
        #expect(error.description == "there is no device 99: the last of this machine's candidates is \(count - 1)")
    }

    @Test func pathWithoutADeviceFailsNamingIt() throws {
        let path: Path = "/dev/dri/renderD999"
        let error = try #require(thrown(EGLError.self) { _ = try Context(.path(path)) })
        #expect(
            error.description
                == "device \(path) can't be used: the device file can't be opened: No such file or directory")
        let row = try #require(error.candidates.last)
        #expect(row.path == path && row.platform == .gbm)
        #expect(error.candidates.dropLast().allSatisfy { $0.outcome == .untried }, "an explicit choice is final")
    }

    @Test func fileThatIsNoDeviceFails() { #expect(throws: EGLError.self) { _ = try Context(.path("/etc/passwd")) } }

    #if compiler(>=6.2)
        // In a process of its own, for EGL reads its list of vendors once.
        @Test(
            .enabled(if: hasSoftwareDevice, "other stacks may not load their drivers as libglvnd does"),
            arguments: [DeviceChoice.auto, .cpu, .index(0)])
        func machineWithoutDriversFailsWithEveryReason(choice: DeviceChoice) async {
            let argument = choice.description
            await #expect(processExitsWith: .success) { [argument = argument as String] in
                setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent", 1)
                let choice = try #require(DeviceChoice(argument: argument))
                let error = try #require(thrown(EGLError.self) { _ = try Context(choice) })
                #expect(error.candidates.contains { if case .failed = $0.outcome { true } else { false } })
                #expect(error.description.contains("device"))
                let report = DeviceProbe.report(choice: choice)
                #expect(report.chosen == nil && report.reason == error.description)
            }
        }
    #endif
}
