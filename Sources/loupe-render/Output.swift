import LoupePipeline
import LoupeSystem

/// A destination that the command writes to: a file that appears whole or not at all, or standard output.
struct Output {
    let path: Path

    static let standard = Output(path: "-")

    init(_ argument: OutputPath) { path = argument.path }

    init(path: Path) { self.path = path }

    /// - Throws: `FileError`.
    func write(_ bytes: [UInt8]) throws {
        try path.write(bytes)
    }

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes lines for a person. They may quote names and texts that hold anything, so control characters are made visible.
    func tell(_ lines: String) throws {
        let shown = lines.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        try write(shown.map { String($0).forTerminal }.joined(separator: "\n"))
    }
}
