import Glibc
import TestSupport
import Testing

@testable import LoupeSystem

/// Which outputs replace what a command reads or writes.
@Suite struct FileUsesTests {
    private let folder = TemporaryFolder()
    private var place: Path { Path(folder.path) }

    init() {
        _ = folder.put([1], "a")
        _ = folder.put([1], "sub/b")
        link(folder.file("a"), folder.file("hard"))
        symlink("a", folder.file("soft"))
        symlink("sub", folder.file("way"))
        symlink("gone", folder.file("dangling"))
    }

    private func collides(read: Path?, write: Path, andWrite other: Path? = nil) -> Bool {
        var uses = FileUses()
        if let read { uses.read(read, as: "the input") }
        uses.write(write, as: "--json")
        if let other { uses.write(other, as: "--report") }
        do {
            try uses.check()
            return false
        } catch {
            #expect(error.description.contains("--json"))
            #expect(error.description.contains(read == nil ? "--report" : "the input"))
            return true
        }
    }

    /// Spellings of one file each.
    private static let spellings = [
        ["a", "./a", ".//a", "sub/../a", "hard", "soft", "way/../a"], ["sub/b", "way/b", "way//./b"],
        ["new", "./new", "sub/../new", "way/../new", "sub//..//new"], ["sub/new", "way/new", "way/./new"],
        ["none/new", "./none//new"],
    ]

    @Test func everySpellingOfAFileIsThatFile() {
        for (index, group) in Self.spellings.enumerated() {
            for a in group {
                for (other, names) in Self.spellings.enumerated() {
                    for b in names {
                        let (a, b) = (place.child(Path(a)), place.child(Path(b)))
                        #expect(collides(read: a, write: b) == (index == other), "\(a) \(b)")
                        #expect(collides(read: nil, write: a, andWrite: b) == (index == other), "\(a) \(b)")
                    }
                }
            }
        }
    }

    @Test func aPageIsItsFileAlsoBeforeThatIsThere() {
        for name in ["a", "new", "sub/new", "none/new", "soft"] {
            for page in [1, 3, 999_999] {
                #expect(collides(read: place.child(Path("\(name)#\(page)")), write: place.child(Path(name))))
            }
            #expect(!collides(read: place.child(Path("\(name)#0")), write: place.child(Path(name))))
            #expect(!collides(read: place.child(Path("\(name)#1")), write: place.child("other")))
        }
        _ = folder.put([1], "a#1")
        #expect(!collides(read: place.child("a#1"), write: place.child("a")))
        #expect(collides(read: place.child("a#1"), write: place.child("a#1")))
    }

    @Test func namesThatTextTakesForEqualAreTwoFiles() {
        for (index, name) in HostileNames.all.enumerated() {
            for other in HostileNames.all[..<index] {
                let (a, b) = (place.child(Path(bytes: name)), place.child(Path(bytes: other)))
                #expect(FileIdentity(of: a) != nil && FileIdentity(of: a) != FileIdentity(of: b))
            }
        }
    }

    @Test func devicesAndPipesAreFree() {
        mkfifo(folder.file("pipe"), 0o600)
        for path in ["/dev/null", "/dev/full", "\(place)/pipe"] as [Path] {
            #expect(!collides(read: path, write: path, andWrite: path))
        }
    }

    @Test func whatMayBeReplacedIsReplacedByItsOwnGroupOnly() throws {
        for (group, isFree) in [(1, true), (2, false), (nil, false)] as [(Int?, Bool)] {
            var uses = FileUses()
            uses.read(place.child("a"), as: "the reference", group: 1)
            uses.write(place.child("hard"), as: "--update", group: group)
            #expect(((try? uses.check()) != nil) == isFree)
        }
    }
}
