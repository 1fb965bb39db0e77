import LoupeImaging
import LoupeOracle
import LoupeScene
import LoupeVerify

/// Expects the GPU renderer to draw a scene as its reference shows it.
///
///     @Test func corner() {
///         expectRenders(Scene(canvas: .init(width: 64, height: 64), layers: [page]), as: "corner")
///     }
///
/// References are recorded as
/// ``expectMatches(_:reference:tolerance:maxPixels:ignoring:in:fileID:filePath:line:column:)`` says, but drawn by the
/// double-precision renderer, so that two independent programs are compared. A failure also leaves `<name>-scene.json`.
/// The environment variable `LOUPE_DEVICE` chooses the device, as `--device` of the command does.
///
/// - Parameters:
///   - scene: What to draw.
///   - name: Of the reference, without `.png`; slashes make folders.
///   - images: What the scene's layers show, by the paths in them.
///   - limits: How near the picture has to come; by default the tolerances that `loupe-render verify` applies.
///   - folder: Where the reference lies.
public func expectRenders(
    _ scene: Scene, as name: String, images: [String: Image] = [:], limits: CaseLimits? = nil,
    in folder: ReferenceFolder = .besideTest, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    Framework.expect(at: site) { settings in
        let actual = try SceneRenderer.draw(scene, images: images, on: settings.device)
        try Expectation(name, .limits(limits ?? CaseLimits(for: scene), of: scene), at: site, settings)
            .check(actual, in: folder) { try Oracle().render(scene, images: images) }
    }
}

/// Expects the GPU renderer to draw a scene as the double-precision renderer does now. There is no file and nothing is
/// recorded: for scenes made up by the test, too many to keep pictures of.
///
/// Like ``expectRenders(_:as:images:limits:in:fileID:filePath:line:column:)`` otherwise.
public func expectRendersLikeOracle(
    _ scene: Scene, as name: String, images: [String: Image] = [:], limits: CaseLimits? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    Framework.expect(at: site) { settings in
        let actual = try SceneRenderer.draw(scene, images: images, on: settings.device)
        try Expectation(name, .limits(limits ?? CaseLimits(for: scene), of: scene), at: site, settings)
            .check(actual, against: Oracle().render(scene, images: images))
    }
}
