import LoupeSystem

/// Two folders of pictures to compare, matched by name.
package struct PictureFolders: Sendable {
    /// Each name once, sorted.
    package let cases: [PictureCase]
    /// The other files of both folders, by their paths below them, sorted.
    private let others: [Path]

    private static let endings = [".png", ".jpg", ".jpeg", ".webp"]

    /// Searches both folders and all folders below them for files that end in `.png`, `.jpg`, `.jpeg` or `.webp`, in small or
    /// capital letters. Files match that have the same path below their folder. What is left matches where only the ending
    /// differs and there is one such file on either side.
    ///
    /// - Parameter allowsOutside: Whether a link may lead out of its folder.
    /// - Throws: `FileError.unreadable` if a folder can't be read.
    package init(references: Path, actuals: Path, allowsOutside: Bool = false) throws(FileError) {
        let (references, actuals) = (Self.plain(references), Self.plain(actuals))
        var cases: [PictureCase] = []
        let places = PictureCase.Places(
            reference: allowsOutside ? .none : PathConfinement(below: references),
            actual: allowsOutside ? .none : PathConfinement(below: actuals))
        func add(_ name: Path, _ reference: Path?, _ actual: Path?) {
            cases.append(PictureCase(name, references, reference: reference, actual: actual, places))
        }
        var others = Set<Path>()
        var mine = try Self.pictures(in: references, &others)
        var theirs = try Self.pictures(in: actuals, &others)
        for (name, path) in mine {
            guard let other = theirs.removeValue(forKey: name) else { continue }
            mine[name] = nil
            add(name, path, other)
        }
        let (mineByStem, theirsByStem) = (Self.stems(of: mine), Self.stems(of: theirs))
        for (stem, names) in mineByStem {
            guard names.count == 1, let others = theirsByStem[stem], others.count == 1 else { continue }
            let (reference, actual) = (mine.removeValue(forKey: names[0]), theirs.removeValue(forKey: others[0]))
            add(names[0], reference, actual)
        }
        for (name, path) in mine { add(name, path, nil) }
        for (name, path) in theirs { add(name, nil, path) }
        self.cases = cases.sorted { $0.path < $1.path }
        self.others = others.sorted()
    }

    /// A sentence about the files that are no pictures, or in formats that are not compared; nil where there are none.
    package var unread: String? {
        if others.isEmpty { return nil }
        let named = others.prefix(3).map { $0.description.quotable }.joined(separator: ", ")
        let rest = others.count > 3 ? " and \(others.count - 3) more" : ""
        return "not compared: \(named)\(rest); only \(Self.endings.joined(separator: ", ")) are"
    }

    private static func plain(_ folder: Path) -> Path {
        folder.bytes.count > 1 && folder.hasEnding("/") ? folder.dropping(1) : folder
    }

    /// The pictures by their paths below the folder. Other files are added to `others`.
    private static func pictures(in folder: Path, _ others: inout Set<Path>) throws(FileError) -> [Path: Path] {
        var found: [Path: Path] = [:]
        for file in try FileTree.files(below: folder) {
            let name = file.folder?.child(file.path.name) ?? file.path.name
            if ending(of: file.path) == nil { others.insert(name) } else { found[name] = file.path }
        }
        return found
    }

    private static func ending(of path: Path) -> String? {
        endings.first { ending in
            path.bytes.suffix(ending.utf8.count).map { 65...90 ~= $0 ? $0 + 32 : $0 }.elementsEqual(ending.utf8)
        }
    }

    private static func stems(of pictures: [Path: Path]) -> [Path: [Path]] {
        Dictionary(grouping: pictures.keys) { $0.dropping(ending(of: $0)?.utf8.count ?? 0) }
    }

    /// Declares the files that a run reads, and the references that it may write.
    package func declare(in uses: inout FileUses, _ accepted: AcceptList?) {
        for (group, pictures) in cases.enumerated() {
            if let path = pictures.reference { uses.read(path, as: "the reference", group: group) }
            if let path = pictures.actual { uses.read(path, as: "the actual picture") }
            if accepted?.picture(for: pictures.path) != nil {
                uses.write(pictures.path, as: "the reference", group: group)
            }
        }
    }
}

/// A picture and its reference, or one of them.
package struct PictureCase: Sendable, VerifiedCase {
    /// The reference's path, also where there is none yet.
    package let path: Path
    /// For people: the folder below the references; their own name for the pictures in that folder itself.
    package let suite: String
    /// For people: the file's name.
    package let name: String
    /// Nil for a new picture.
    package let reference: Path?
    /// Nil where there is only a reference.
    package let actual: Path?
    /// The path below the folder, by which limits name it.
    let below: Path
    /// Where the files must lie.
    let places: Places

    /// The folders below which the files of a case must lie.
    struct Places: Sendable {
        var reference = PathConfinement.none
        var actual = PathConfinement.none
    }

    /// The case's name in results: suite/name.
    package var title: String { "\(suite)/\(name)" }

    fileprivate init(_ below: Path, _ folder: Path, reference: Path?, actual: Path?, _ places: Places) {
        (self.below, self.places) = (below, places)
        path = reference ?? folder.child(below)
        let within = below.parent.flatMap { $0.isEmpty || $0 == "." ? nil : $0 }
        suite = (within ?? folder.parts.last ?? folder).readable
        name = below.name.readable
        (self.reference, self.actual) = (reference, actual)
    }

    /// Two files that are no parts of folders.
    package init(reference: Path, actual: Path) {
        (path, below, places) = (reference, reference.name, Places())
        suite = reference.parts.dropLast().last?.readable ?? "."
        name = reference.name.readable
        (self.reference, self.actual) = (reference, actual)
    }
}
