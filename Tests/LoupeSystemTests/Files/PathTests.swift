import Glibc
import TestSupport
import Testing

@testable import LoupeSystem

/// Paths against the bytes that they are made of.
@Suite struct PathTests {
    private let names = HostileNames.all

    @Test func namesAreAsManyAsTheirBytes() {
        #expect(names.count > 100 && Set(names.map { Path(bytes: $0) }).count == names.count)
        for (index, name) in names.enumerated() {
            #expect(Path(bytes: name).bytes == name)
            for other in names[..<index] { #expect(Path(bytes: name) != Path(bytes: other)) }
        }
    }

    @Test func everySlashParts() {
        for name in names {
            for folder in names.prefix(60) {
                let path = Path(bytes: folder + [0x2f] + name)
                #expect(path.folder.bytes == folder + [0x2f] && path.name.bytes == name && path.parent?.bytes == folder)
                #expect(path.parts.map(\.bytes) == [folder, name])
                #expect(Path(bytes: folder).child(Path(bytes: name)) == path)
                #expect(path.simplified == path && Path(bytes: [0x2e, 0x2f] + path.bytes).simplified == path)
                #expect(Path(bytes: folder + Array("/../".utf8) + name).simplified.bytes == name)
                #expect(
                    Path(bytes: [0x2f] + name).way(from: Path(bytes: [0x2f] + folder)).bytes
                        == (folder == name ? [] : Array("../".utf8) + name))
            }
            #expect(!Path(bytes: name).isAbsolute && Path(bytes: [0x2f] + name).isAbsolute)
            #expect(Path(bytes: name).relative(to: "d/").bytes == Array("d/".utf8) + name)
            #expect(Path(bytes: [0x2f] + name).relative(to: "d/").bytes == [0x2f] + name)
        }
    }

    @Test func aFolderHasTheNamesThatWereMadeInIt() throws {
        let folder = TemporaryFolder()
        for name in names { try AtomicFile.write([1], to: Path(folder.path).child(Path(bytes: name))) }
        #expect(Path(folder.path).entries()?.map(\.bytes) == names.sorted { $0.lexicographicallyPrecedes($1) })
        for name in names {
            let path = Path(folder.path).child(Path(bytes: name))
            #expect(path.exists && path.real?.bytes == Path(folder.path).real.map { $0.bytes + [0x2f] + name })
        }
    }

    @Test func sentencesShowNamesWithoutBytesThatAreNoText() {
        #expect(Path(bytes: [0x61, 0xff, 0x2f, 0xc3]).description == "a\\xff/\\xc3")
        #expect(Path("e\u{301}").description.unicodeScalars.elementsEqual("e\u{301}".unicodeScalars))
        for name in names {
            let path = Path(bytes: name)
            #expect(path.text.map { Array($0.utf8) } ?? name == name)
            #expect((path.text == nil) == (Array(path.description.utf8) != name))
        }
    }

    @Test func aPathWithAZeroLeadsNowhere() {
        let folder = TemporaryFolder()
        _ = folder.put([1], "a")
        let path = Path("\(folder.path)/a\0b")
        #expect(!path.exists && path.status() == nil && path.real == nil && path.realOfNew == nil)
        #expect(throws: FileError.self) { try InputBytes.read(path: path, as: .text) }
        #expect(throws: FileError.self) { try AtomicFile.write([], to: path) }
        #expect(!PathConfinement(below: Path(folder.path)).allows(path))
        #expect(folder.names == ["a"])
    }
}
