import LoupeImaging
import LoupeScene
import Testing

/// Records an issue, and leaves evidence, where a picture lies further from the expected one than allowed.
func expectPicture(
    _ actual: Image, equals expected: Image, within allowed: Tolerance, of scene: Scene, named name: String,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    guard actual.width == expected.width, actual.height == expected.height else {
        Issue.record(
            "\(name): \(actual.width)×\(actual.height) pixels, not \(expected.width)×\(expected.height)",
            sourceLocation: sourceLocation)
        return
    }
    let difference = Difference(actual, from: expected)
    guard !difference.isWithin(allowed) else { return }
    try Evidence.leave(
        name, scene: scene, actual: actual, expected: expected, difference: difference, allowed: allowed)
    Issue.record("\(name): \(difference) (see test-failures)", sourceLocation: sourceLocation)
}
