import CSandbox
import Glibc

/// A new folder for the files of another program, in `TMPDIR` or else `/tmp`. It is removed at the end, with all that is in it.
package final class ScratchFolder {
    /// The folder's path, without a slash at the end.
    package let path: String

    /// Nil where none can be made.
    package init?() {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        var template = Array("\(parent.hasPrefix("/") ? parent : "/tmp")/loupe-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { csandbox_remove_folder(path) }
}
