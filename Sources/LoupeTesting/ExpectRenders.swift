import LoupeCompare
import LoupeImaging
import LoupeOracle
import LoupePlan
import LoupeRenderer
import LoupeScene
import Synchronization

/// Expects the GPU renderer to draw a scene as in its reference.
///
///     @Test func corner() {
///         expectRenders(Scene(canvas: .init(width: 64, height: 64), layers: [page]), as: "corner")
///     }
///
/// References are recorded as described at
/// ``expectMatches(_:reference:tolerance:maxPixels:ignoring:in:fileID:filePath:line:column:)``, but the reference renderer
/// draws them, so that two independent programs are compared. A failure also writes `<name>-scene.json`. The environment
/// variable `LOUPE_DEVICE` selects the device, like the option `--device` of the command.
///
/// - Parameters:
///   - scene: The scene to draw.
///   - name: The reference's name without `.png`. Slashes separate folders.
///   - images: The images of the scene's layers, by the paths in the scene.
///   - limits: How closely the picture has to match, by any metric; by default as closely as `loupe-render verify` demands.
///   - folder: Where the reference lies.
public func expectRenders(
    _ scene: Scene, as name: String, images: [ImagePath: Image] = [:], limits: CaseLimits? = nil,
    in folder: ReferenceFolder = .besideTest, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    Framework.expect(at: site) { settings in
        let actual = try SceneRenderer.draw(scene, images: images, on: settings.device)
        try Expectation(name, limits ?? CaseLimits(for: scene), of: scene, at: site, settings)
            .check(actual, in: folder) { try Oracle().render(scene, images: images) }
    }
}

/// Expects the GPU renderer to draw a scene as the reference renderer does. There is no reference file and nothing is
/// recorded. It is for generated scenes that are too many to keep pictures of.
///
/// Otherwise the same as ``expectRenders(_:as:images:limits:in:fileID:filePath:line:column:)``.
public func expectRendersLikeOracle(
    _ scene: Scene, as name: String, images: [ImagePath: Image] = [:], limits: CaseLimits? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    Framework.expect(at: site) { settings in
        let actual = try SceneRenderer.draw(scene, images: images, on: settings.device)
        try Expectation(name, limits ?? CaseLimits(for: scene), of: scene, at: site, settings)
            .check(actual, against: Oracle().render(scene, images: images))
    }
}

/// The renderer that all expectations of the process share. Making a context takes longer than drawing a small scene.
///
/// Where no device works, expectations fail: nothing else draws in its place.
enum SceneRenderer {
    private struct State: ~Copyable {
        var renderer: Renderer?
        /// The images that the renderer holds.
        var images: [ImagePath: Image] = [:]
    }

    private static let state = Mutex(State())

    /// Draws a scene. Calls from several threads wait for each other.
    ///
    /// - Throws: as `Renderer.render`; `RenderError.missingImage` if an image of the scene is not among `images`.
    static func draw(_ scene: Scene, images: [ImagePath: Image], on device: DeviceChoice) throws -> Image {
        if let path = scene.imagePaths.first(where: { images[$0] == nil }) {
            throw RenderError.missingImage(path: path)
        }
        return try state.withLock { state in
            let renderer = try state.renderer ?? Renderer(device: device)
            state.renderer = renderer
            let shown = images.filter { scene.imagePaths.contains($0.key) }
            try renderer.load(shown.filter { state.images[$0.key] != $0.value })
            state.images.merge(shown) { $1 }
            return try renderer.render(DrawPlan(scene, images: shown.mapValues(\.traits)))
        }
    }
}
