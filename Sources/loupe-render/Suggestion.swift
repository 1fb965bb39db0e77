import LoupeFiles
import LoupeJSON

/// What a person may have meant who named a command or a document that does not fit.
enum Suggestion {
    /// A failure where the first argument is a misspelt command: no file has that name, and it is one or two letters from
    /// a command's name, or there is nothing else.
    static func misspeltCommand(_ arguments: [String], commands: [String]) -> Failure? {
        guard let first = arguments.first else { return nil }
        func nearest(of names: [String]) -> String? {
            names.min { distance($0, first) < distance($1, first) }.flatMap { name in
                distance(name, first) <= min(2, name.count / 2) ? name : nil
            }
        }
        let shown = Arguments.readable(first)
        if first.hasPrefix("-") {
            let flags = ["--help", "--version"]
            guard arguments.count == 1, !flags.contains(first), let flag = nearest(of: flags) else { return nil }
            return Failure(.usage, "\(shown) is no option; did you mean \(flag)?")
        }
        guard !commands.contains(first), !InputPath(argument: first).path.exists else { return nil }
        if let name = nearest(of: commands) {
            return Failure(.usage, "\(shown) is neither a command nor a file; did you mean \(name)?")
        }
        return arguments.count > 1
            ? nil
            : Failure(.usage, "\(shown) is neither a command nor a file; see loupe-render --help")
    }

    /// A failure where a document that can't be read is a session that was given in place of a scene, or a scene in place
    /// of a session.
    /// - Parameters:
    ///   - bytes: the document's.
    ///   - name: its path, or standard input.
    static func otherDocument(_ bytes: [UInt8], name: String, isForSession: Bool) -> Failure? {
        guard let keys = (try? JSONValue(parsing: bytes)).flatMap(\.memberNames) else { return nil }
        if isForSession {
            guard !keys.contains("model"), keys.contains("layers") || keys.contains("loupes") else { return nil }
            return Failure(
                .badInput, "\(name): it is a scene, not a session; did you mean loupe-render render \(name) -o OUT?")
        }
        guard keys.contains("model") else { return nil }
        return Failure(
            .badInput, "\(name): it is a session, not a scene; did you mean loupe-render replay \(name) -o OUT?")
    }

    /// Whether a document is meant as a session: it is an object that names a model.
    static func isSession(_ bytes: [UInt8]) -> Bool {
        (try? JSONValue(parsing: bytes)).flatMap(\.memberNames)?.contains("model") == true
    }

    /// How many letters have to be added, left out, changed or swapped with their neighbour (Damerau and Levenshtein,
    /// restricted).
    static func distance(_ one: String, _ other: String) -> Int {
        let (a, b) = (Array(one.utf8), Array(other.utf8))
        var rows = [Array(0...b.count)]
        for i in 1..<a.count + 1 {
            var row = [i]
            for j in 1..<b.count + 1 {
                var least = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    least = min(least, rows[i - 2][j - 2] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}

extension JSONValue {
    /// The keys of an object; nil for anything else.
    fileprivate var memberNames: [String]? {
        guard case .object(let object) = self else { return nil }
        return object.members.map(\.key)
    }
}
