import LoupeBase
import LoupeImaging
import LoupeOracle
import LoupeScene
import LoupeSystem

/// Draws scenes and compares each picture with the reference beside its scene.
public struct Verifier {
    /// The references that are written. A case whose reference is written ends as `written`, never as `passed`.
    public enum Update: String, Sendable, CaseIterable {
        /// Missing references.
        case missing
        /// Missing references, and those of cases that failed.
        case failed
        /// All references.
        case all
    }

    /// The renderer under test.
    public typealias Draw = (_ scene: Scene, _ images: [ImagePath: Image]) throws -> Image

    private let draw: Draw
    private let driver: Driver?
    private let update: Update?
    private let accepted: AcceptList?
    private let keepsPictures: Bool
    private let allowsOutside: Bool
    private let limits: (CaseLimits) -> CaseLimits
    private var pages = PageStore()

    /// A verifier for one run.
    ///
    /// - Parameters:
    ///   - driver: The driver that `draw` uses, for the results.
    ///   - update: Which references are written; nil for none.
    ///   - accepted: Cases whose references are written if they failed or have none.
    ///   - keepsPictures: Whether results contain the pictures of cases that did not pass.
    ///   - allowsOutside: Whether scenes may show files outside the folder that they were found in.
    ///   - limits: The limits of scenes that state none, by those that the specification gives them.
    ///   - draw: Draws a scene with the renderer under test. The images are given by the paths in the scene.
    public init(
        driver: Driver? = nil, update: Update? = nil, accepted: AcceptList? = nil, keepsPictures: Bool = false,
        allowsOutside: Bool = false, limits: @escaping (_ specified: CaseLimits) -> CaseLimits = { $0 },
        draw: @escaping Draw
    ) {
        (self.draw, self.driver, self.update, self.accepted) = (draw, driver, update, accepted)
        (self.keepsPictures, self.allowsOutside, self.limits) = (keepsPictures, allowsOutside, limits)
    }

    /// Verifies one case. Problems with the case are part of the result and are not thrown.
    ///
    /// - Throws: Only `ImageError.unwritable`, if a reference can't be written.
    public mutating func verify(_ sceneCase: SceneCase) throws(ImageError) -> CaseResult {
        try CaseResult.timed(sceneCase, driver: driver) {
            let source = try source(of: sceneCase)
            let result = update == .all ? CaseResult(sceneCase, .missing, "") : try judge(source, sceneCase)
            if updates(result.state) { return try record(source, sceneCase) }
            guard let picture = accepted?.picture(for: sceneCase.path), result.state.isAcceptable else {
                return result
            }
            return try accept(picture, source, sceneCase)
        }
    }

    /// Reads the scene and its images.
    private mutating func source(of sceneCase: SceneCase) throws -> SceneSource {
        let confinement = sceneCase.confinement(allowsOutside: allowsOutside)
        try sceneCase.confine([sceneCase.path, sceneCase.referencePath], allowsOutside: allowsOutside)
        return try SceneSource(sceneCase.path, in: confinement, limits: limits, pages: &pages)
    }

    /// Whether a case in a state gets a new reference.
    private func updates(_ state: CaseResult.State) -> Bool {
        switch (update, state) {
        case (.missing?, .missing), (.failed?, .missing), (.failed?, .failed), (.all?, .missing): true
        default: false
        }
    }

    /// Draws the scene and compares it with its reference.
    private func judge(_ source: SceneSource, _ sceneCase: SceneCase) throws -> CaseResult {
        let path = sceneCase.referencePath
        guard path.exists else {
            let message = "there is no reference \(path); draw it with --update missing"
            return CaseResult(sceneCase, .missing, message, pictures: unjudged(source))
        }
        let file: ComparedImage
        do {
            file = try ComparedImage.read(path)
        } catch {
            return CaseResult(sceneCase, .failed, "\(error)", pictures: unjudged(source))
        }
        let reference = file.image
        do {
            let actual = try draw(source.scene, source.images)
            var verdict = try Verdict(source.limits, scene: source.scene, reference: reference, actual: actual)
            verdict.add(
                cutPixels: file.cutPixels(besides: ComparedImage(drawn: actual), found: verdict.difference))
            return try CaseResult(
                sceneCase, verdict, of: source.limits, reference: reference, actual: actual,
                keepsPictures: keepsPictures)
        } catch {
            let pictures = try kept { try CasePictures(reference: reference) }
            return CaseResult(sceneCase, .broken, "\(error)", pictures: pictures)
        }
    }

    /// The pictures for the result; nil if results do not contain pictures.
    private func kept(_ pictures: () throws -> CasePictures) rethrows -> CasePictures? {
        keepsPictures ? try pictures() : nil
    }

    /// The picture of a scene without a usable reference; nil if it can't be drawn.
    private func unjudged(_ source: SceneSource) -> CasePictures? {
        try? kept { try CasePictures(actual: draw(source.scene, source.images)) }
    }
}

// MARK: - Writing references

extension Verifier {
    /// Writes the reference, drawn by the reference renderer and never by the one under test.
    private func record(_ source: SceneSource, _ sceneCase: SceneCase) throws -> CaseResult {
        let reference = try Oracle().render(source.scene, images: source.images)
        try PNG.write(reference, to: sceneCase.referencePath)
        return CaseResult(
            sceneCase, .written, "\(sceneCase.referencePath) written; look at it and run again",
            pictures: try kept { try CasePictures(reference: reference) })
    }

    /// Writes the reference of an accepted picture. It is drawn by the reference renderer, and written only if the renderer
    /// under test still draws the accepted picture and both agree.
    private func accept(_ accepted: PictureHash, _ source: SceneSource, _ sceneCase: SceneCase) throws -> CaseResult {
        let actual = try draw(source.scene, source.images)
        let reference = try Oracle().render(source.scene, images: source.images)
        let verdict = try Verdict(source.limits, scene: source.scene, reference: reference, actual: actual)
        let pictures = try kept {
            try CasePictures(reference: reference, actual: actual, difference: verdict.difference)
        }
        if PictureHash(of: actual) != accepted {
            let message = "not accepted: another picture is drawn now than the accepted one; look at it and accept it"
            return CaseResult(sceneCase, .failed, message, pictures: pictures)
        }
        guard verdict.isMet else {
            let message = "not accepted: the reference renderer draws the scene differently: \(verdict.message)"
            return CaseResult(sceneCase, .failed, message, pictures: pictures)
        }
        try PNG.write(reference, to: sceneCase.referencePath)
        return CaseResult(
            sceneCase, .written, "\(sceneCase.referencePath) written as accepted; run again", pictures: pictures)
    }
}

extension CaseResult.State {
    /// Whether a person can accept the picture in place of the reference.
    package var isAcceptable: Bool { self == .failed || self == .missing }
}
