import Glibc
import LoupeImaging
import LoupeSystem

/// Two folders of pictures to compare, matched by name.
package struct PictureFolders: Sendable {
    /// Each name once, sorted.
    package let cases: [PictureCase]
    /// The other files of both folders, by their paths below them, sorted, and links to folders; with a layout the pictures without
    /// a place in it.
    package let others: [Path]
    private let layout: PictureLayout?

    private static let endings = [
        ".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".gif", ".heic", ".heif", ".avif", ".svg", ".svgz", ".pdf",
    ]
    /// Pictures that no comparison reads. They are cases that are broken, so that nobody takes them for compared.
    private static let unreadable = [".bmp", ".jxl", ".exr"]

    /// Searches both folders and all folders below them for pictures, by their endings, in small or capital letters. Files match
    /// that have the same path below their folder, also where only one of them writes an accent as a sign of its own (Unicode's
    /// NFD). What is left matches where only the ending differs and there is one such file on either side.
    ///
    /// - Parameters:
    ///   - allowsOutside: Whether a link may lead out of its folder.
    ///   - layout: What the pictures of both kinds are called, where both folders are one.
    /// - Throws: `FileError.unreadable` if a folder can't be read.
    package init(references: Path, actuals: Path, allowsOutside: Bool = false, layout: PictureLayout? = nil)
        throws(FileError)
    {
        let (references, actuals) = (Self.plain(references), Self.plain(actuals))
        let places = PictureCase.Places(
            reference: allowsOutside ? .none : PathConfinement(below: references),
            actual: allowsOutside ? .none : PathConfinement(below: actuals))
        var others: [Path: Path] = [:]
        var failures: [(name: Path, path: Path)] = []
        var mine = try Self.pictures(in: references, &others, layout)
        var theirs = try Self.pictures(in: actuals, &others, layout)
        if let layout {
            let links = others.filter { $0.value.isFolder || $0.value.isSpecial }
            (mine, theirs, others) = Self.sorted(mine, by: layout)
            for (name, path) in others
            where layout.isOfFailure(name) && !theirs.keys.contains(where: { $0.parent == name.parent }) {
                others[name] = nil
                failures.append((name, path))
            }
            others.merge(links) { $1 }
        }
        let suite = FileTree.suite(of: references, besides: (Array(mine.keys) + theirs.keys).map(\.parent))
        let pairs = Self.matched(&mine, &theirs)
        let capitals = (Self.namesInSmallLetters(mine), Self.namesInSmallLetters(theirs))
        func make(_ name: Path, _ reference: Path?, _ actual: Path?, alike: Path? = nil) -> PictureCase {
            let hasEnding = reference == nil || actual == nil || reference.map(Self.ending) == actual.map(Self.ending)
            var pictures = PictureCase(
                name, references, suite, reference: reference, actual: actual, places,
                canBeAccepted: layout == nil && hasEnding)
            pictures.alike = alike
            if Self.ending(of: name) == nil { pictures.problem = (.broken, "not compared: it is no picture") }
            return pictures
        }
        let failed = failures.map { name, path in
            var pictures = make(name, nil, path)
            pictures.problem = (.failed, "the test failed, and left no pictures to compare")
            return pictures
        }
        let cases =
            failed + pairs.map { make($0, $1, $2) }
            + mine.map { make($0, $1, nil, alike: capitals.1[$0.readable.lowercased()]) }
            + theirs.map { make($0, nil, $1, alike: capitals.0[$0.readable.lowercased()]) }
        self.cases = cases.sorted { $0.path < $1.path }
        self.others = others.map { name, path in
            path.isFolder
                ? name.appending(" (a link to a folder)") : path.isSpecial ? name.appending(" (no regular file)") : name
        }.sorted()
        self.layout = layout
    }

    /// The pictures that match, by the name of the reference. They are taken out of both folders.
    private static func matched(
        _ mine: inout [Path: Path], _ theirs: inout [Path: Path]
    ) -> [(name: Path, reference: Path?, actual: Path?)] {
        var pairs: [(name: Path, reference: Path?, actual: Path?)] = []
        func match(_ name: Path, _ other: Path) {
            pairs.append((name, mine.removeValue(forKey: name), theirs.removeValue(forKey: other)))
        }
        for name in mine.keys where theirs[name] != nil { match(name, name) }
        for key in [Self.canonicalName, Self.stem] {
            let others = Dictionary(grouping: theirs.keys, by: key)
            for (key, names) in Dictionary(grouping: mine.keys, by: key) where names.count == 1 {
                if let found = others[key], found.count == 1 { match(names[0], found[0]) }
            }
        }
        return pairs
    }

    /// A sentence about the files that are no pictures, or in formats that are not compared; nil where there are none.
    package var unread: String? {
        if others.isEmpty { return nil }
        let named = others.prefix(3).map { $0.description.quotable }.joined(separator: ", ")
        let rest = others.count > 3 ? " and \(others.count - 3) more" : ""
        return "not compared: \(named)\(rest); \(layout?.sentence ?? "only \(Self.endingsInWords) are")"
    }

    /// Whether one is an SVG or a PDF, by its name.
    package var hasVectors: Bool {
        let vectors = [".svg", ".svgz", ".pdf"]
        return cases.flatMap { [$0.reference, $0.actual] }.contains { vectors.contains($0.flatMap(Self.ending) ?? "") }
    }

    /// The endings of the pictures that are compared.
    package static var endingsInWords: String { endings.joined(separator: ", ") }

    private static func plain(_ folder: Path) -> Path {
        folder.bytes.count > 1 && folder.hasEnding("/") ? folder.dropping(1) : folder
    }

    /// The pictures by their paths below the folder, and other files that a layout takes for such. Hidden ones, those of hidden
    /// folders, and other files are added to `others`, but no hidden file that is no picture.
    private static func pictures(
        in folder: Path, _ others: inout [Path: Path], _ layout: PictureLayout?
    ) throws(FileError) -> [Path: Path] {
        var found: [Path: Path] = [:]
        for file in try FileTree.files(below: folder, includesHidden: true) {
            let name = file.folder?.child(file.path.name) ?? file.path.name
            let isHidden = name.parts.contains { $0.bytes.first == UInt8(ascii: ".") }
            let isPicture = ending(of: file.path) != nil || layout?.hasSnapshot(named: name) ?? false
            if file.path.isSpecial {
                others[name] = file.path
            } else if isPicture, !isHidden {
                found[name] = file.path
            } else if isPicture == isHidden {
                others[name] = file.path
            }
        }
        return found
    }

    /// The references and the actual pictures of one folder by the names that both have, and the pictures that are neither. A name
    /// that two have is left whole, so that neither is taken for the other.
    private static func sorted(_ pictures: [Path: Path], by layout: PictureLayout)
        -> (references: [Path: Path], actuals: [Path: Path], others: [Path: Path])
    {
        var (references, actuals, others) = ([Path: Path](), [Path: Path](), [Path: Path]())
        for (name, path) in pictures.sorted(by: { $0.key < $1.key }) {
            switch layout.reading(of: name, ending: ending(of: path) ?? name.anyEnding) {
            case (.reference, let key)?: references[references[key] == nil ? key : name] = path
            case (.actual, let key)?: actuals[actuals[key] == nil ? key : name] = path
            case (.neither, _)?: break
            case nil: others[name] = path
            }
        }
        if layout.keepsFailuresAlone { references = references.filter { actuals[$0.key] != nil } }
        return (references, actuals, others)
    }

    private static func ending(of path: Path) -> String? {
        (endings + unreadable).first { ending in
            path.bytes.suffix(ending.utf8.count).map { 65...90 ~= $0 ? $0 + 32 : $0 }.elementsEqual(ending.utf8)
        }
    }

    /// The name as Unicode compares it: texts are equal whose accents are written in different ways.
    private static func canonicalName(_ name: Path) -> String { name.readable }

    private static func stem(_ name: Path) -> String { name.dropping(ending(of: name)?.utf8.count ?? 0).readable }

    private static func namesInSmallLetters(_ pictures: [Path: Path]) -> [String: Path] {
        Dictionary(pictures.keys.sorted().map { ($0.readable.lowercased(), $0) }) { first, _ in first }
    }

    /// The cases, with one for each page of two files whose names end as PDFs' and TIFFs' do.
    package func pages(_ chosen: PageRange?) -> [PictureCase] {
        cases.flatMap { pair in
            guard [".pdf", ".tif", ".tiff"].contains(Self.ending(of: pair.path)) else { return [pair] }
            let pages = pair.pages(chosen)
            // A file without such a page is said to have none.
            return pages.isEmpty
                ? [PictureCase(pair, reference: chosen?.first ?? 1, actual: chosen?.first ?? 1, of: 1)] : pages
        }
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
    /// A picture of the other folder whose name differs in capitals alone.
    fileprivate(set) var alike: Path?
    /// The page of PDFs and TIFFs that is compared, from 1; paths end with it. Of a new page its number in the actual file.
    package private(set) var page: Int?
    /// The number of the page in the actual file, where that is another one.
    private var actualPage: Int?
    /// How many pages the longer file has.
    package private(set) var pageCount: Int?
    /// How the case ends without a comparison.
    fileprivate(set) var problem: (state: CaseResult.State, message: String)?
    /// Whether the actual picture can become the reference: it is a whole file of a folder of its own, and has the reference's ending.
    package let canBeAccepted: Bool

    /// The folders below which the files of a case must lie.
    struct Places: Sendable {
        var reference = PathConfinement.none
        var actual = PathConfinement.none
    }

    /// Whether there are a reference and a picture.
    package var isPair: Bool { reference != nil && actual != nil }
    /// The case's name in results: suite/name.
    package var title: String { "\(suite)/\(name)" }

    var referenceSource: PictureSource { PictureSource(path: reference ?? path, place: places.reference, page: page) }
    var actualSource: PictureSource {
        PictureSource(path: actual ?? path, place: places.actual, page: actualPage ?? page)
    }

    fileprivate init(
        _ below: Path, _ folder: Path, _ suite: Path, reference: Path?, actual: Path?, _ places: Places,
        canBeAccepted: Bool
    ) {
        (self.below, self.places, self.canBeAccepted) = (below, places, canBeAccepted)
        path = reference ?? folder.child(below)
        let within = below.parent.flatMap { $0.isEmpty || $0 == "." ? nil : $0 }
        self.suite = (within ?? suite).readable
        name = below.name.readable
        (self.reference, self.actual) = (reference, actual)
    }

    /// Two files that are no parts of folders.
    package init(reference: Path, actual: Path) {
        (path, below, places, canBeAccepted) = (reference, reference.name, Places(), false)
        suite = reference.parts.dropLast().last?.readable ?? "."
        name = reference.name.readable
        (self.reference, self.actual) = (reference, actual)
    }
}

extension PictureCase {
    /// A page of two files, of which one may have none for it.
    fileprivate init(_ whole: PictureCase, reference mine: Int?, actual theirs: Int?, of pageCount: Int) {
        (suite, below, places, self.pageCount) = (whole.suite, whole.below, whole.places, pageCount)
        (page, canBeAccepted) = (mine ?? theirs, false)
        let reference = mine.flatMap { page in whole.reference?.appending(Path("#\(page)")) }
        let actual = theirs.flatMap { page in whole.actual?.appending(Path("#\(page)")) }
        (path, self.reference, self.actual) = (reference ?? actual ?? whole.path, reference, actual)
        let isMoved = mine != nil && theirs != nil && mine != theirs
        actualPage = isMoved ? theirs : nil
        name = "\(whole.name)#\(mine ?? theirs ?? 1)" + (isMoved ? "→\(theirs ?? 1)" : "")
    }

    /// A case for each page, where both have pages and one has several pages or pages are chosen; otherwise the case itself, and
    /// where the files can't be read. Where all pages of files of different lengths count, equal ones belong together.
    /// - Parameter chosen: which pages count; nil for all.
    package func pages(_ chosen: PageRange?) -> [PictureCase] {
        guard page == nil, problem == nil, let reference, let actual, Self.hasPages(reference), Self.hasPages(actual),
            let mine = try? ImageFile(path: reference, in: places.reference).pageCount,
            let theirs = try? ImageFile(path: actual, in: places.actual).pageCount,
            chosen != nil || max(mine, theirs) > 1
        else { return [self] }
        let most = max(mine, theirs)
        let known = chosen == nil && mine != theirs && most <= Self.mostAligned
        let pairs =
            known
            ? PageAlignment.pairs(Self.hashes(referenceSource, mine), Self.hashes(actualSource, theirs))
            : (1...most).map { ($0 <= mine ? $0 : nil, $0 <= theirs ? $0 : nil) }
        return pairs.filter { chosen?.contains($0 ?? $1 ?? 0) ?? true }
            .map { PictureCase(self, reference: $0, actual: $1, of: most) }
    }

    /// Longer files are compared page by page as they are numbered.
    private static let mostAligned = 500

    /// A hash of each page's picture at 96 dpi; of one that can't be drawn another one than of all others.
    private static func hashes(_ source: PictureSource, _ count: Int) -> [String] {
        guard let file = try? source.read() else { return (1...count).map { "\(source.path) \($0)" } }
        return Threads.map(count) { index in
            let image = try? ImageFile(file.bytes, name: file.name, page: index + 1).numbers(keepsDepth: true)
            return image.map { PictureHash(of: $0).description } ?? "\(source.path) \(index)"
        }
    }

    /// Whether it is a regular file that begins as one with pages. A pipe can be read only once.
    private static func hasPages(_ path: Path) -> Bool {
        guard let status = path.status(), status.st_mode & S_IFMT == S_IFREG else { return false }
        return (try? ImageFile.hasPages(path)) ?? false
    }
}

/// A file to compare, or a page of one.
struct PictureSource: Sendable {
    let path: Path
    let place: PathConfinement
    /// The page with which the path ends; nil where the path may name one.
    let page: Int?

    /// The file's bytes, what messages call it, and the page that is compared; nil for all of it.
    func read() throws(ImageError) -> (name: String, bytes: [UInt8], page: Int?) {
        let named = PagePath(path)
        let file = page.map { path.dropping("#\($0)".utf8.count) } ?? named.file
        return (
            file.isStream ? "standard input" : path.description, try ImageFile.bytes(path: file, in: place),
            page ?? named.page
        )
    }

    /// The picture alone.
    func image(dpi: Double) throws(ImageError) -> Image {
        let file = try read()
        return try ComparedImage(
            try ImageFile(file.bytes, name: file.name, page: file.page ?? 1), dpi: dpi, refusesAnimation: false
        ).image
    }
}

/// Some pages of a PDF or TIFF: `3`, `2-5`, or `2-` for all from the second.
package struct PageRange: Hashable, Sendable {
    private let pages: ClosedRange<Int>

    /// Nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = Int(parts[0]), 1...999_999 ~= first else { return nil }
        let last = parts.count == 1 ? first : parts[1].isEmpty ? 999_999 : Int(parts[1]) ?? 0
        guard first...999_999 ~= last else { return nil }
        pages = first...last
    }

    var first: Int { pages.lowerBound }
    /// Nil where no last page is named.
    package var last: Int? { pages.upperBound == 999_999 ? nil : pages.upperBound }

    func contains(_ page: Int) -> Bool { pages.contains(page) }
}

extension Path {
    /// Whether it names an open file of this process.
    fileprivate var isStream: Bool {
        let folders: [Path] = ["/proc/self/fd/", "/dev/fd/"]
        return isDash || self == "/dev/stdin" || folders.contains(folder)
    }
}

/// Pages of two files of which one has more.
enum PageAlignment {
    /// Pairs of pages, from 1: equal ones, as many as there can be in order (a longest common subsequence), and those between that
    /// stand at the same place. What is left has none beside it.
    static func pairs(_ mine: [String], _ theirs: [String]) -> [(Int?, Int?)] {
        var lengths = Array(repeating: Array(repeating: 0, count: theirs.count + 1), count: mine.count + 1)
        for i in mine.indices.reversed() {
            for j in theirs.indices.reversed() {
                lengths[i][j] =
                    mine[i] == theirs[j] ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
            }
        }
        var (pairs, i, j, start) = ([(Int?, Int?)](), 0, 0, (0, 0))
        func between() -> [(Int?, Int?)] {
            let (left, right) = (Array(start.0..<i), Array(start.1..<j))
            return (0..<max(left.count, right.count)).map { index in
                (index < left.count ? left[index] + 1 : nil, index < right.count ? right[index] + 1 : nil)
            }
        }
        while i < mine.count, j < theirs.count {
            if mine[i] == theirs[j] {
                pairs += between() + [(i + 1, j + 1)]
                (i, j) = (i + 1, j + 1)
                start = (i, j)
            } else if lengths[i + 1][j] >= lengths[i][j + 1] {
                i += 1
            } else {
                j += 1
            }
        }
        (i, j) = (mine.count, theirs.count)
        return pairs + between()
    }
}
