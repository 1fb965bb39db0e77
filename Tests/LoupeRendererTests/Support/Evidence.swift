import Foundation
import LoupeImaging
import LoupeScene
import TestSupport

/// What a failing picture test leaves in the ignored folder `test-failures`, for a person to look at.
enum Evidence {
    /// Writes `<name>-actual.png`, `-expected.png`, `-difference.png`, `-scene.json` and the numbers as `<name>.json`.
    static func leave(
        _ name: String, scene: Scene, actual: Image, expected: Image, difference: Difference, allowed: Tolerance
    ) throws {
        let stem = "\(Repository.testFailures)/\(name)"
        let folder = URL(fileURLWithPath: stem).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try PNG.write(actual, to: stem + "-actual.png")
        try PNG.write(expected, to: stem + "-expected.png")
        try PNG.write(picture(of: difference, width: actual.width), to: stem + "-difference.png")
        try write(SceneEncoder().encode(scene), to: stem + "-scene.json")
        try write(numbers(of: difference, allowed: allowed).text() + "\n", to: stem + ".json")
    }

    private static func write(_ text: String, to path: String) throws {
        try AtomicFile.write(Array(text.utf8), to: path)
    }

    /// Black where equal, grey for a difference of 1, yellow for 2, red beyond.
    private static func picture(of difference: Difference, width: Int) -> Image {
        let colors: [[UInt8]] = [[0, 0, 0, 255], [96, 96, 96, 255], [255, 220, 0, 255], [255, 0, 0, 255]]
        let pixels = difference.steps.flatMap { colors[min($0, 3)] }
        return Image(width: width, height: difference.pixelCount / width, pixels: pixels)
    }

    private static func numbers(of difference: Difference, allowed: Tolerance) -> JSONValue {
        [
            "largest": .number(Double(difference.largest)),
            "overOne": .number(Double(difference.overOne)),
            "overTwo": .number(Double(difference.overTwo)),
            "pixels": .number(Double(difference.pixelCount)),
            "at": [.number(Double(difference.place.x)), .number(Double(difference.place.y))],
            "expected": .array(difference.expected.channels.map { .number(Double($0)) }),
            "actual": .array(difference.actual.channels.map { .number(Double($0)) }),
            "allowed": [
                "largest": .number(Double(allowed.largest)), "shareOverOne": .number(allowed.shareOverOne),
            ],
        ]
    }
}
