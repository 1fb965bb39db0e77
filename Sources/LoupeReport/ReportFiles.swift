import LoupeFiles
import LoupeImaging
import LoupePage
import LoupeVerify

/// The files in the folder `page`, which are part of the binary.
enum ReportFiles {
    static let templates = [
        (name: "report", text: text(PackageResources.report_mustache)),
        (name: "case", text: text(PackageResources.case_mustache)),
        (name: "pictures", text: text(PackageResources.pictures_mustache)),
        (name: "end", text: text(PackageResources.end_mustache)),
    ]

    static let style = PageStyle.base + text(PackageResources.report_css)

    /// The last one starts what the others define.
    static let script = [
        PackageResources.list_js, PackageResources.frame_js, PackageResources.viewer_js, PackageResources.accept_js,
        PackageResources.keys_js,
    ].map(text).joined(separator: "\n")

    /// Content Security Policy, level 3: this script and this style, pictures from the file itself, and nothing else,
    /// whatever the names of scenes hold.
    static let policy =
        "default-src 'none'; img-src data:; style-src '\(source(of: style))'; script-src '\(source(of: script))'; "
        + "base-uri 'none'; form-action 'none'"

    private static func source(of text: String) -> String { "sha256-" + Base64.encode(SHA256.hash(Array(text.utf8))) }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
