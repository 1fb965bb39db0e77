import LoupeSystem
import Testing

@testable import LoupeRenderer

/// Which vendor files libglvnd reads, and what it makes of them.
@Suite struct VendorFileTests {
    private let machine = MadeUpMachine()

    /// The lines about vendor files.
    private var files: [String] { machine.lines(with: ".json: ").map { String($0.dropFirst(2)) } }
    private var paths: [String] { files.map { String($0.prefix { $0 != ":" }) } }

    @Test func bothFoldersAreReadEtcFirstEachByNameAndOnlyJSON() {
        let folder = MadeUpMachine.folder
        for path in [folder + "/10_b.json", folder + "/readme.txt", "/etc/glvnd/egl_vendor.d/90_a.json"] {
            machine.put(MadeUpMachine.vendor("libEGL_mesa.so.0"), path)
        }
        #expect(
            paths == ["/etc/glvnd/egl_vendor.d/90_a.json", folder + "/10_b.json", MadeUpMachine.mesa])
    }

    @Test func variablesNameOtherFoldersOrFilesAndFilesGoFirst() {
        machine.put(MadeUpMachine.vendor("libEGL_mesa.so.0"), "/opt/a/x.json")
        machine.put(MadeUpMachine.vendor("libEGL_mesa.so.0"), "/opt/b/y.json")
        machine.environment["__EGL_VENDOR_LIBRARY_DIRS"] = "/opt/b:/opt/none:/opt/a"
        #expect(paths == ["/opt/b/y.json", "/opt/a/x.json"])
        machine.environment["__EGL_VENDOR_LIBRARY_FILENAMES"] = "/opt/a/x.json:/opt/gone.json"
        #expect(files[1] == "/opt/gone.json: can't be used: No such file or directory")
    }

    @Test(arguments: [
        ("", "line 1"), ("{}", "file_format_version: missing"), ("[]", "object"),
        (MadeUpMachine.vendor("x", version: "2.0.0"), "2.0.0"),
        (#"{"file_format_version": "1.0.0", "ICD": {}}"#, "ICD.library_path"),
        (#"{"file_format_version": 1, "ICD": {"library_path": "x"}}"#, "file_format_version"),
    ])
    func fileThatIsNotWhatItShouldBeSaysWhy(text: String, words: String) {
        machine.put(text, MadeUpMachine.mesa)
        #expect(files.first?.hasPrefix("\(MadeUpMachine.mesa): can't be used: ") == true)
        #expect(files.first?.contains(words) == true, "\(files)")
    }

    @Test func keysThatLibglvndDoesNotKnowArePassedOver() {
        machine.put(
            #"{"file_format_version": "1.0.2", "x": 1, "ICD": {"library_path": "libEGL_mesa.so.0", "y": 2}}"#,
            MadeUpMachine.mesa)
        #expect(files == ["\(MadeUpMachine.mesa): libEGL_mesa.so.0, which loads"])
    }
}
