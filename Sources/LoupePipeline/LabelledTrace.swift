import Glibc
import LoupeBase
import LoupeMotion
import LoupeSystem

/// A trace whose path says which gesture it is.
package struct LabelledTrace {
    package let path: Path
    /// The path in the folder.
    package let name: String
    /// Nil for hands that make no gesture.
    package let label: Gesture?
    /// The name without its extension and without the number at its end.
    package let group: String

    private static let labels = Gesture.allCases.map(\.rawValue) + ["none"]

    /// The traces in a folder and in the folders in it that are named like labels.
    package static func all(in folder: Path) throws -> [LabelledTrace] {
        var traces: [LabelledTrace] = []
        for name in try names(in: folder) {
            let files = labels.contains(name) ? try names(in: folder.child(Path(name))).map { "\(name)/\($0)" } : [name]
            traces += try files.map { try LabelledTrace(folder, $0) }
        }
        guard !traces.isEmpty else {
            throw TraceFolderError(
                description: "\(folder): it has no traces; such names as pinch-1.jsonl or pinch/1.jsonl are needed")
        }
        return traces
    }

    private init(_ folder: Path, _ name: String) throws {
        path = folder.child(Path(name))
        self.name = name
        let word = name.prefix(while: \.isLetter)
        guard let label = Self.labels.first(where: { $0 == word }) else {
            throw TraceFolderError(
                description:
                    "\(path): it has no label; its name or its folder's must begin with pinch, pan, rewind or none")
        }
        self.label = Gesture(rawValue: label)
        let stem = String(name.split(separator: "/").last?.prefix { $0 != "." } ?? "")
        let parts = stem.split(separator: "-", omittingEmptySubsequences: false)
        let row = parts.last.map { !$0.isEmpty && $0.allSatisfy(\.isNumber) } == true ? parts.dropLast() : parts
        let text = row.joined(separator: "-")
        group = text.hasPrefix(label) ? text : text.isEmpty ? label : "\(label)/\(text)"
    }

    /// Without hidden files.
    /// - Throws: `FileError` where the folder can't be read, and an error for a name that is not UTF-8, which no result can
    ///   name.
    private static func names(in folder: Path) throws -> [String] {
        let names = try folder.listed
        if let name = names.first(where: { $0.text == nil }) {
            throw TraceFolderError(description: "\(folder.child(name)): its name is not UTF-8; rename it")
        }
        return names.compactMap(\.text)
    }

    /// What was recorded. Touches that never end are lifted.
    package var trace: Trace {
        get throws {
            var options = RecordingOptions()
            options.cutOff = .lift
            do {
                return try Recording(try InputBytes.read(path: path, as: .text), options: options).trace
            } catch let error as DocumentError {
                throw TraceFolderError(description: "\(path): \(error.description)")
            }
        }
    }
}

/// Something that is wrong with a folder of labelled traces, in a sentence.
package struct TraceFolderError: Error, CustomStringConvertible {
    package let description: String
}
