import LoupeSystem

/// The names that a tool for screenshots gives its pictures, which all lie below one folder.
package enum PictureLayout: String, CaseIterable, Sendable {
    case playwright, cypress, storybook

    /// The role of a picture. Pictures of differences are neither.
    enum Role { case reference, actual, neither }

    /// Patterns of names: a folder, anything, and the end of the file's name before its ending. The topmost folder that a pattern
    /// names decides, and of several that fit the first.
    private var patterns: [(pattern: String, role: Role)] {
        switch self {
        case .playwright:
            [("*-expected", .reference), ("*-actual", .actual), ("*-diff", .neither), ("*-previous", .neither)]
        case .cypress:
            [
                ("baseline/*", .reference), ("base/*", .reference), ("comparison/* (failed)", .neither),
                ("comparison/*", .actual), ("actual/* (failed)", .neither), ("actual/*", .actual), ("diff/*", .neither),
            ]
        case .storybook:
            [("*", .reference), ("__received_output__/*-received", .actual), ("__diff_output__/*", .neither)]
        }
    }

    /// Whether the tool keeps the pictures only of tests that failed, so that references without one are left out.
    var keepsFailuresAlone: Bool { self == .storybook }

    /// Whether a file of any kind is one that the tool compared, such as a text: its end alone says so.
    func hasSnapshot(named name: Path) -> Bool {
        guard self == .playwright, let reading = reading(of: name, ending: name.anyEnding) else { return false }
        return reading.role != .neither
    }

    /// Whether the tool took a picture only to show where a test failed, such as `test-failed-1.png`.
    func isOfFailure(_ name: Path) -> Bool { self == .playwright && name.name.readable.hasPrefix("test-failed-") }

    /// The patterns, for a sentence.
    var sentence: String {
        func names(_ role: Role) -> String {
            patterns.compactMap { $0.role == role ? $0.pattern : nil }.joined(separator: " or ")
        }
        return "--layout \(rawValue) compares \(names(.reference)) with \(names(.actual))"
    }

    /// What a picture is, and its name without what says so; nil where no pattern fits.
    /// - Parameters:
    ///   - name: the path below the folder.
    ///   - ending: of the name, such as `.png`.
    func reading(of name: Path, ending: String) -> (role: Role, name: Path)? {
        var parts = name.parts
        guard let stem = parts.popLast()?.dropping(ending.utf8.count) else { return nil }
        var found: (depth: Int, role: Role, mark: Int)?
        for (pattern, role) in patterns {
            let sides = pattern.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
            let depth = sides[0].isEmpty ? parts.count : parts.firstIndex { "\($0.readable)/" == sides[0] }
            guard let depth, stem.hasEnding(sides[1]), depth < found?.depth ?? .max else { continue }
            found = (depth, role, sides[1].utf8.count)
        }
        guard let found else { return nil }
        if found.depth < parts.count { parts.remove(at: found.depth) }
        let file = stem.dropping(found.mark).appending(Path(bytes: name.bytes.suffix(ending.utf8.count)))
        return (found.role, parts.reversed().reduce(file) { $1.child($0) })
    }
}

extension Path {
    /// From the last dot of the name on, such as `.txt`; nothing where there is none.
    var anyEnding: String {
        name.bytes.lastIndex(of: UInt8(ascii: ".")).map { Path(bytes: name.bytes[$0...]).readable } ?? ""
    }
}
