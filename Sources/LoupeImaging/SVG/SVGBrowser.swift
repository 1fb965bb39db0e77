import Glibc
import LoupeBase
import LoupeSystem
import Synchronization

/// A browser that draws SVGs in place of librsvg: it prints each to a PDF of one page, so that it stays vectors.
///
/// It is a program of its own. It gets the SVG as an image of a page, so that no script of it runs and nothing beyond its own
/// bytes is loaded. All that the browser writes lies in a folder that is its home, and is deleted afterwards.
package enum SVGBrowser {
    private static let isChosen = Atomic(false)

    /// Lets a browser draw all SVGs from now on.
    package static func choose() { isChosen.store(true, ordering: .relaxed) }

    /// Whether a browser draws SVGs.
    static var isUsed: Bool { isChosen.load(ordering: .relaxed) }

    /// The names of Chromium, and of browsers made of it.
    private static let programs = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

    /// A PDF of one page that shows an SVG.
    /// - Parameters:
    ///   - size: the SVG's natural size, in CSS pixels.
    ///   - name: what messages call it.
    /// - Throws: ``ImageError/noHelper(name:reason:)``, ``ImageError/helperFailed(name:reason:)`` or
    ///   ``ImageError/unwritable(_:)``.
    static func pdf(of svg: [UInt8], _ size: ImageSize, name: String) throws(ImageError) -> [UInt8] {
        guard let program = programs.lazy.compactMap(ChildProcess.path(of:)).first else {
            throw .noHelper(
                name: name, reason: "--svg-by browser needs Chromium on PATH; install Debian's package chromium")
        }
        // Chromium has no sandbox for root.
        let isRoot = geteuid() == 0
        if isRoot, Sandbox.isRequired {
            throw .noHelper(
                name: name,
                reason: "a browser has no sandbox for root, and --require-sandbox is given; draw it as another user")
        }
        guard let folder = ScratchFolder() else {
            throw .helperFailed(name: name, reason: "no folder can be made for the browser in TMPDIR or /tmp")
        }
        do {
            try AtomicFile.write(svg, to: Path("\(folder.path)/page.svg"))
            try AtomicFile.write(Array(page(size).utf8), to: Path("\(folder.path)/page.html"))
        } catch {
            throw .unwritable(error)
        }
        var words = [program, "--headless", "--disable-gpu", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND"]
        if isRoot { words.append("--no-sandbox") }
        words += ["--user-data-dir=\(folder.path)/profile", "--no-pdf-header-footer"]
        let address = String(percentEncoding: Array("\(folder.path)/page.html".utf8))
        words += ["--print-to-pdf=\(folder.path)/page.pdf", "file://\(address)"]
        let message = try run(words, in: folder, name: name)
        guard let pdf = try? ImageFile.bytes(path: Path("\(folder.path)/page.pdf")) else {
            throw .helperFailed(name: name, reason: "the browser printed nothing: \(message.quotable)")
        }
        return pdf
    }

    /// Runs a program to its end, in a folder that is its home. Returns the last line that it wrote.
    private static func run(
        _ words: [String], in folder: ScratchFolder, name: String
    ) throws(ImageError) -> String {
        let process: ChildProcess
        do {
            let home = ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"]
            process = try ChildProcess(
                words, descriptors: [:], variables: Dictionary(uniqueKeysWithValues: home.map { ($0, folder.path) }),
                keepsMessages: true)
        } catch {
            throw .helperFailed(name: name, reason: "the browser: \(error)")
        }
        let seconds = SVGDrawing.secondsAllowed
        guard let ending = process.finish(within: seconds) else {
            throw .helperFailed(
                name: name,
                reason: "the browser takes longer than \(seconds.jsonText) s; allow more time with --svg-timeout")
        }
        guard ending == .exit(code: 0) else {
            throw .helperFailed(
                name: name, reason: "the browser failed (\(ending)): \(process.lastMessage.quotable)")
        }
        return process.lastMessage
    }

    /// A page with the SVG as an image, in its size or a multiple: both sides are multiples of 8 pixels, as Chromium rounds a
    /// PDF's pages to whole points and quarters of them.
    private static func page(_ size: ImageSize) -> String {
        let factors: [Int] = [1, 2, 4]
        let factor = factors.first { ($0 * size.width) % 8 + ($0 * size.height) % 8 == 0 } ?? 8
        let (width, height) = ("\(factor * size.width)px", "\(factor * size.height)px")
        return """
            <!doctype html><style>@page { size: \(width) \(height); margin: 0 } body { margin: 0 }
            img { display: block; width: \(width); height: \(height) }</style><img src="page.svg">
            """
    }
}
