import Glibc
import TestSupport
import Testing

@testable import LoupeFiles

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
        confinement = PathConfinement(below: folder.file("docs"))
    }

    @Test(arguments: [
        "docs/page.png", "docs/sub/deep.png", "docs/sub/../page.png", "docs/./sub//deep.png", "docs/inward.png",
        "alias/page.png", "docs/none.png", "docs/none/none.png", "docs-2/../docs/page.png", "docs/..png",
    ])
    func whatLeadsBelowTheFolderIsAllowed(name: String) {
        #expect(confinement.allows(folder.file(name)))
        #expect(PathConfinement(below: folder.file("alias/")).allows(folder.file(name)))
        #expect(confinement.refusal(of: folder.file(name), named: name) == nil)
    }

    @Test(arguments: [
        "secret.png", "docs/../secret.png", "docs/outward.png", "docs/away/page.png", "docs-2/page.png", "docs",
        "docs/", "docs/away/none.png", "docs/none/../../secret.png", "docs/none/../page.png", "",
    ])
    func whatLeadsElsewhereIsRefused(name: String) {
        #expect(!confinement.allows(folder.file(name)))
        let refusal = confinement.refusal(of: folder.file(name), named: name)
        #expect(refusal?.hasPrefix("'\(name)' leads out of the folder") == true)
        #expect(PathConfinement.none.allows(folder.file(name)))
    }

    @Test func theSystemsFilesAreElsewhereAndNothingLiesBelowAFolderThatIsNotThere() {
        #expect(!confinement.allows("/etc/passwd") && !confinement.allows("/"))
        #expect(PathConfinement(below: "/").allows("/etc/passwd"))
        #expect(!PathConfinement(below: folder.file("none")).allows(folder.file("none/page.png")))
    }
}
