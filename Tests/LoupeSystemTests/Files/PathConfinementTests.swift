import Glibc
import Synchronization
import TestSupport
import Testing

@testable import LoupeSystem

/// Which files a document may name.
@Suite struct PathConfinementTests {
    private let folder = TemporaryFolder()
    private let confinement: PathConfinement

    init() {
        for name in ["docs/page.png", "docs/sub/deep.png", "docs-2/page.png", "secret.png"] {
            _ = folder.put([1], name)
        }
        symlink("sub/deep.png", folder.file("docs/inward.png"))
        symlink("../secret.png", folder.file("docs/outward.png"))
        symlink("../docs-2", folder.file("docs/away"))
        symlink("docs", folder.file("alias"))
        confinement = PathConfinement(below: Path(folder.file("docs")))
    }

    @Test(arguments: [
        "docs/page.png", "docs/sub/deep.png", "docs/sub/../page.png", "docs/./sub//deep.png", "docs/inward.png",
        "alias/page.png", "docs/none.png", "docs/none/none.png", "docs-2/../docs/page.png", "docs/..png",
    ])
    func whatLeadsBelowTheFolderIsAllowed(name: String) {
        #expect(confinement.allows(Path(folder.file(name))))
        #expect(PathConfinement(below: Path(folder.file("alias/"))).allows(Path(folder.file(name))))
        #expect(confinement.refusal(of: Path(folder.file(name)), named: name) == nil)
    }

    @Test(arguments: [
        "secret.png", "docs/../secret.png", "docs/outward.png", "docs/away/page.png", "docs-2/page.png", "docs",
        "docs/", "docs/away/none.png", "docs/none/../../secret.png", "docs/none/../page.png", "",
    ])
    func whatLeadsElsewhereIsRefused(name: String) {
        #expect(!confinement.allows(Path(folder.file(name))))
        let refusal = confinement.refusal(of: Path(folder.file(name)), named: name)
        #expect(refusal?.hasPrefix("'\(name)' leads out of the folder") == true)
        #expect(PathConfinement.none.allows(Path(folder.file(name))))
    }

    @Test func theSystemsFilesAreElsewhereAndNothingLiesBelowAFolderThatIsNotThere() {
        #expect(!confinement.allows("/etc/passwd") && !confinement.allows("/"))
        #expect(PathConfinement(below: "/").allows("/etc/passwd"))
        #expect(!PathConfinement(below: Path(folder.file("none"))).allows(Path(folder.file("none/page.png"))))
    }

    // MARK: - Opening and writing

    @Test func missingFilesAndLinksToNothingHaveTheSystemsErrors() {
        symlink("none.png", folder.file("docs/dangling.png"))
        symlink("circle.png", folder.file("docs/circle.png"))
        for (name, code) in [
            ("docs/none.png", ENOENT), ("docs/dangling.png", ENOENT), ("docs/circle.png", ELOOP),
            ("docs/page.png/deep.png", ENOTDIR), ("docs/outward.png", EXDEV),
        ] {
            errno = 0
            #expect(confinement.open(Path(folder.file(name)), O_RDONLY) == nil && errno == code, "\(name)")
        }
    }

    /// Files whose content is their own path, and paths to them by names that text handling gets wrong, links in each
    /// component, and every kind of dots.
    @Test func whatIsOpenedLiesBelowTheFolderAndIsTheFileOfTheseBytes() throws {
        for name in HostileNames.all {
            for start in ["docs/", "docs/sub/", ""] {
                try AtomicFile.write(
                    Array(start.utf8) + name, to: Path(bytes: Array("\(folder.path)/\(start)".utf8) + name))
            }
        }
        symlink("../docs", folder.file("docs/self"))
        symlink(folder.file("docs/sub"), folder.file("docs/absolute"))
        symlink("..", folder.file("docs/sub/up"))
        // Where each way leads, below the test's folder; nil out of `docs`.
        let ways: [(String, String?)] = [
            ("docs/", "docs/"), ("docs/./", "docs/"), ("docs//", "docs/"), ("docs/sub/", "docs/sub/"),
            ("docs/sub/../", "docs/"), ("docs/sub/up/", "docs/"), ("docs/sub/up/sub/", "docs/sub/"),
            ("docs/self/", "docs/"), ("docs/self/sub/", "docs/sub/"), ("docs/absolute/", "docs/sub/"),
            ("docs/absolute/../", "docs/"), ("alias/sub/", "docs/sub/"), ("docs/../docs/", "docs/"),
            ("docs/../", nil), ("docs/sub/../../", nil), ("docs/sub/up/../", nil), ("docs/self/../", nil), ("", nil),
            ("docs/away/../", nil), ("docs/absolute/../../", nil),
        ]
        for name in Sample.of(HostileNames.all, every: 3) {
            for (way, target) in ways {
                let path = Path(bytes: Array("\(folder.path)/\(way)".utf8) + name)
                #expect(confinement.allows(path) == (target != nil), "\(path)")
                let bytes = try? InputBytes.read(path: path, in: confinement, as: .text)
                #expect(bytes == target.map { Array($0.utf8) + name }, "\(path)")
            }
        }
    }

    @Test func whatIsWrittenLiesBelowTheFolder() throws {
        let before = folder.names
        for (count, name) in Sample.of(HostileNames.all, every: 3).enumerated() {
            let way = ["docs/", "docs/sub/../", "alias/sub/", "docs-2/../docs/"][count % 4]
            let path = Path(bytes: Array("\(folder.path)/\(way)".utf8) + name)
            try AtomicFile.write([7], to: path, in: confinement)
            #expect(try InputBytes.read(path: path, as: .text) == [7])
            for out in ["", "docs/../", "docs/away/", "docs/sub/../../docs-2/"] {
                let path = Path(bytes: Array("\(folder.path)/\(out)".utf8) + name)
                #expect(throws: FileError.self) { try AtomicFile.write([7], to: path, in: confinement) }
                #expect(!path.exists)
            }
        }
        #expect(throws: FileError.self) {
            try AtomicFile.write([7], to: Path(folder.file("docs/outward.png")), in: confinement)
        }
        try AtomicFile.write([8], to: Path(folder.file("docs/inward.png")), in: confinement)
        #expect(TemporaryFolder.bytes(at: folder.file("docs/sub/deep.png")) == [8])
        #expect(folder.names == before && TemporaryFolder.bytes(at: folder.file("secret.png")) == [1])
        #expect(folder.names(in: "docs-2") == ["page.png"])
    }

    /// One thread exchanges a folder and a link that leads out, again and again.
    @Test func aFolderThatIsExchangedMeanwhileLeadsNowhereElse() throws {
        _ = folder.put([9], "docs/a/file")
        _ = folder.put([66], "outside/file")
        symlink("../outside", folder.file("docs/b"))
        let (a, b, spare) = (folder.file("docs/a"), folder.file("docs/b"), folder.file("docs/spare"))
        let done = Flag()
        let thread = BackgroundThread {
            while !done.isSet.load(ordering: .relaxed) {
                rename(a, spare)
                rename(b, a)
                rename(spare, b)
            }
        }
        let path = Path(folder.file("docs/a/file"))
        var (read, refused) = (0, 0)
        for _ in 0..<Sample.count(2_000, whole: 50_000) {
            do {
                let bytes = try InputBytes.read(path: path, in: confinement, as: .text)
                #expect(bytes == [9])
                read += 1
            } catch {
                refused += 1
            }
        }
        done.isSet.store(true, ordering: .relaxed)
        thread.join()
        #expect(read + refused > 0)
    }
}

private final class Flag: Sendable {
    let isSet = Atomic(false)
}
