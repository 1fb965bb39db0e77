import LoupeCompare
import LoupeImaging
import LoupeScene
import LoupeSystem
import TestSupport

@testable import LoupeTesting

/// A folder with references and failures, and expectations that know no environment.
struct Stage {
    let folder = TemporaryFolder()

    var references: ReferenceFolder { ReferenceFolder(Path(folder.file("references"))) }
    /// Where failures of these tests leave their pictures.
    let failures = "failures/LoupeTestingTests/Stage"

    static let plain = Image(width: 4, height: 3, pixels: [UInt8](repeating: 100, count: 48))

    /// The plain picture with some bytes raised.
    static func changed(by step: UInt8 = 7, at places: [Int] = [0]) -> Image {
        var image = plain
        for place in places { image.pixels[place] += step }
        return image
    }

    /// The failure of an expectation; nil where it is met.
    func failure(
        of actual: Image, _ name: String = "picture", _ mode: RecordMode = .never,
        limits: CaseLimits = CaseLimits(Comparison()), of scene: Scene? = nil, recording: Image? = nil
    ) throws -> ExpectationFailure? {
        let site = CallSite(fileID: #fileID, filePath: #filePath, line: #line, column: #column)
        let settings = Settings(record: mode, failures: Path(folder.file("failures")))
        do {
            try Expectation(name, limits, of: scene, at: site, settings)
                .check(actual, in: references) { recording ?? actual }
            return nil
        } catch let failure as ExpectationFailure {
            return failure
        }
    }

    func put(_ image: Image, _ name: String = "picture") throws {
        _ = folder.put(try PNG.encode(image), "references/\(name).png")
    }

    /// The reference that is there; nil where there is none.
    func reference(_ name: String = "picture") -> Image? {
        try? PNG.read(path: Path(folder.file("references/\(name).png")))
    }

    func left(_ file: String) throws -> Image { try PNG.read(path: Path(folder.file("\(failures)/\(file)"))) }
}

extension ExpectationFailure {
    var lines: [String] { message.split(separator: "\n").map(String.init) }
}
