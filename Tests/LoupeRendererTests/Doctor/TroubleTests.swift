import Glibc
import LoupeSystem
import Testing

@testable import LoupeBase
@testable import LoupeRenderer

/// Each usual trouble on a machine made for it, and its fix.
@Suite struct TroubleTests {
    private let machine = MadeUpMachine()
    private let node = "/dev/dri/renderD128"

    /// That there is one trouble, whose sentence holds these words and ends with this command.
    private func expect(
        _ outcome: MadeUpMachine.Outcome, _ words: String..., oldVersions: [String] = [], command: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let troubles = machine.examination(outcome, oldVersions: oldVersions).troubles.map(\.sentence)
        #expect(troubles.count == 1, "\(troubles)", sourceLocation: sourceLocation)
        for word in words {
            #expect(troubles.first?.contains(word) == true, "\(troubles)", sourceLocation: sourceLocation)
        }
        #expect(troubles.first?.hasSuffix(": " + command) == true, "\(troubles)", sourceLocation: sourceLocation)
    }

    @Test func machineThatWorksHasNone() {
        #expect(machine.troubles(.software).isEmpty)
        machine.put("", node, mode: 0o660)
        #expect(machine.troubles(.software).isEmpty)
    }

    @Test(arguments: [
        ("libEGL.so.1", "libegl1, or sudo dnf install -y libglvnd-egl"),
        ("libGLESv2.so.2", "libgles2, or sudo dnf install -y libglvnd-gles"),
        ("libgbm.so.1", "libgbm1, or sudo dnf install -y mesa-libgbm"),
    ])
    func libraryThatLeadsToDriversIsMissing(library: String, package: String) {
        machine.libraries.remove(library)
        expect(
            .none, "\(library) can't be loaded", "cannot open shared object", "install it",
            command: "sudo apt-get install -y \(package)")
    }

    @Test func gbmIsMissedOnlyWhereAGPUMayLieBehindIt() {
        machine.libraries.remove("libgbm.so.1")
        #expect(machine.troubles(.software).isEmpty)
        machine.put("", node, mode: 0o666)
        expect(
            .software, "libgbm.so.1",
            command: "sudo apt-get install -y libgbm1, or sudo dnf install -y mesa-libgbm")
        #expect(machine.troubles(.hardware).isEmpty)
    }

    @Test(arguments: ["GALLIUM_DRIVER", "LIBGL_DRIVERS_PATH", "EGL_PLATFORM", "MESA_GL_VERSION_OVERRIDE"])
    func aVariableMayKeepEveryDriverFromWorking(name: String) {
        machine.environment[name] = "foo"
        #expect(machine.troubles(.software).isEmpty)
        let troubles = machine.troubles(.none)
        #expect(troubles.contains("no device works, and \(name)=foo may be why. Fix: unset it: unset \(name)"))
    }

    /// Its EGL, the file that names it, or its drivers.
    @Test func aPartOfMesaIsMissing() {
        machine.libraries.remove("libEGL_mesa.so.0")
        machine.remove(MadeUpMachine.mesa)
        expect(.none, "Mesa", "not installed", command: Self.mesa)
        machine.libraries.insert("libEGL_mesa.so.0")
        expect(.none, "not all of it", command: Self.mesa)
        machine.put(MadeUpMachine.vendor("libEGL_mesa.so.0"), MadeUpMachine.mesa)
        #expect(machine.troubles(.none).isEmpty)
        machine.remove(MadeUpMachine.driver)
        expect(.none, "not all of it", command: Self.mesa)
        machine.put("", "/usr/lib/libgallium-25.0.so")
        #expect(machine.troubles(.none).isEmpty)
        machine.environment["__EGL_VENDOR_LIBRARY_DIRS"] = "/opt/none"
        expect(.none, "no vendor file", command: "unset __EGL_VENDOR_LIBRARY_DIRS")
    }

    private static let mesa =
        "sudo apt-get install -y libegl1 libgles2 libegl-mesa0 libgl1-mesa-dri, or "
        + "sudo dnf install -y libglvnd-egl libglvnd-gles mesa-libEGL mesa-dri-drivers"

    @Test func vendorsLibraryDoesNotLoad() {
        machine.put(MadeUpMachine.vendor("libEGL_old.so.0"), MadeUpMachine.folder + "/10_old.json")
        expect(
            .software, "10_old.json names libEGL_old.so.0, which can't be loaded",
            "cannot open shared object",
            command: "ldconfig -p | grep libEGL_old.so.0")
    }

    @Test func vendorFileIsBroken() {
        machine.put("{", MadeUpMachine.folder + "/10_x.json")
        expect(
            .software, "10_x.json can't be used, so libglvnd ignores it: line 1",
            command:
                "dpkg --search \(MadeUpMachine.folder)/10_x.json, or rpm --query --file \(MadeUpMachine.folder)/10_x.json"
        )
    }

    @Test func userIsNotInTheGroup() {
        machine.put("", node, mode: 0o660)
        machine.put("", "/dev/dri/card0", mode: 0o660)
        machine.closed = [Path(node): EACCES, "/dev/dri/card0": EACCES]
        expect(
            .software, "\(node) can't be opened by this user: Permission denied", "join the group render",
            command: "sudo usermod -aG render $USER")
    }

    @Test func nobodyButRootMayOpenTheGPU() {
        machine.put("", node, mode: 0o600)
        machine.closed = [Path(node): EACCES]
        expect(
            .software, "give it to a group",
            command: "sudo chgrp render \(node) && sudo chmod g+rw \(node) && sudo usermod -aG render $USER")
    }

    @Test(arguments: [("/dev/dri/renderD128", "--device /dev/dri"), ("/dev/nvidia0", "--gpus all")])
    func containerIsNotGivenTheGPU(path: String, flag: String) {
        machine.libraries.insert("libEGL_nvidia.so.0")
        machine.put(MadeUpMachine.vendor("libEGL_nvidia.so.0"), MadeUpMachine.folder + "/10_nvidia.json")
        machine.put("", path, mode: 0o666)
        machine.closed = [Path(path): EPERM]
        expect(.software, "Operation not permitted", command: "docker run \(flag) …")
    }

    @Test func deviceFileThatNoDriverAnswers() {
        machine.put("", node, mode: 0o666)
        machine.closed = [Path(node): ENODEV]
        expect(.software, "No such device", command: "sudo dmesg | tail -40")
    }

    @Test(arguments: [
        ("LIBGL_ALWAYS_SOFTWARE", "true"), ("GALLIUM_DRIVER", "softpipe"), ("MESA_LOADER_DRIVER_OVERRIDE", "swrast"),
    ])
    func softwareIsForcedThoughThereIsAGPU(name: String, value: String) {
        machine.environment[name] = Path(value)
        #expect(machine.troubles(.software).isEmpty, "there is no GPU that would draw otherwise")
        machine.put("", node, mode: 0o666)
        expect(.software, "\(name)=\(value) makes Mesa draw on the CPU", command: "unset \(name)")
        machine.environment[name] = "0"
        #expect(machine.troubles(.software).isEmpty)
    }

    @Test func nvidiasVendorFileIsMissing() {
        machine.put("", "/dev/nvidiactl", mode: 0o666)
        machine.libraries.insert("libEGL_nvidia.so.0")
        expect(
            .software, "NVIDIA's libEGL_nvidia.so.0 is installed, but no vendor file",
            command: #"echo '{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_nvidia.so.0"}}'"#
                + " | sudo tee /usr/share/glvnd/egl_vendor.d/10_nvidia.json")
    }

    private static let nvidia = "apt-cache search '^libnvidia-(egl|gl)', or dnf provides '*/libEGL_nvidia.so.0'"

    @Test func nvidiasEGLIsMissing() {
        machine.put("", "/dev/nvidia0", mode: 0o666)
        machine.put("", "/dev/nvidia-modeset", mode: 0o666)
        expect(
            .software, "libEGL_nvidia.so.0 can't be loaded", command: Self.nvidia
        )
        machine.environment["NVIDIA_DRIVER_CAPABILITIES"] = "compute,utility"
        expect(
            .software, "NVIDIA_DRIVER_CAPABILITIES=compute,utility leaves it out",
            command: "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=all …")
        machine.environment["NVIDIA_DRIVER_CAPABILITIES"] = "compute,graphics"
        expect(.software, "same version", command: Self.nvidia)
    }

    @Test func openGLESIsTooOld() {
        expect(
            .none, "OpenGL ES 3.0 is needed, but a driver has only OpenGL ES 2.0 Mesa", "--device cpu",
            oldVersions: ["OpenGL ES 2.0 Mesa", "OpenGL ES 2.0 Mesa"], command: Self.mesa)
    }

    // MARK: - Output

    @Test func deviceFilesSayWhoMayOpenThem() {
        machine.put("", node, mode: 0o640)
        machine.put("", "/dev/nvidia-caps/nvidia-cap1", mode: 0o600)
        machine.closed = [Path(node): EACCES]
        let lines = machine.lines(with: "/dev/")
        #expect(lines.first == "  \(node): group render: Permission denied")
        #expect(lines.count == 2 && lines[1].contains("chgrp"))
    }

    @Test func variablesSayWhatTheyDoAndOthersAreLeftOut() throws {
        machine.environment = ["CUDA_VISIBLE_DEVICES": "1", "HOME": "/root", "EGL_PLATFORM": "x11"]
        let lines = machine.lines(with: "=")
        try #require(lines.count == 2)
        #expect(lines[0].hasPrefix("  EGL_PLATFORM=x11: "))
        #expect(lines[1].hasPrefix("  CUDA_VISIBLE_DEVICES=1: ") && lines[1].contains("EGL shows all of them"))
    }

    @Test func textAndJSONHoldTheSame() throws {
        machine.put("", node, mode: 0o660)
        machine.put("{", MadeUpMachine.folder + "/10_<b>.json")
        machine.closed = [Path(node): EACCES]
        machine.environment["LIBGL_ALWAYS_SOFTWARE"] = "1"
        let examination = machine.examination()
        let text = examination.lines.joined(separator: "\n")
        let json = examination.json
        #expect(json.map { $0.0 } == ["libraries", "vendorFiles", "variables", "deviceFiles", "troubles"])
        #expect(json.map { $0.1?.count } == [3, 2, 1, 1, 3])
        for trouble in examination.troubles { #expect(text.contains("\n  " + trouble.sentence)) }
        for words in [
            "libEGL.so.1: loads", "50_mesa.json: libEGL_mesa.so.0, which loads", "group render: Permission denied",
            "LIBGL_ALWAYS_SOFTWARE=1: Mesa",
        ] {
            #expect(text.contains(words), "\(text)")
        }
        #expect(MadeUpMachine().examination(.none).lines.last?.contains("no problems") == false)
        let works = MadeUpMachine().examination().lines.joined(separator: "\n")
        #expect(works.hasSuffix("\n\nno problems found"))
    }
}

extension JSONValue {
    fileprivate var count: Int {
        if case .array(let elements) = self { elements.count } else { -1 }
    }
}
