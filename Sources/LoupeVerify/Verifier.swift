import Glibc
import LoupeFiles
import LoupeImaging
import LoupeJSON
import LoupeOracle
import LoupeScene

/// Draws scenes and compares them with the references beside them, one case after another.
public struct Verifier {
    /// Which references are drawn anew. Recording never passes: such a case ends as `written`.
    public enum Update: String, Sendable, CaseIterable {
        case missing
        /// Missing ones, and those that failed.
        case failed
        case all
    }

    /// The renderer that is put to the test.
    public typealias Draw = (_ scene: Scene, _ images: [String: Image]) throws -> Image

    private let draw: Draw
    private let driver: Driver?
    private let update: Update?
    private let accepted: AcceptList?
    private let keepsPictures: Bool
    private let allowsOutside: Bool
    private var pages = PageStore()

    /// - Parameters:
    ///   - driver: what `draw` draws with, for the results.
    ///   - accepted: of these cases, those that failed or have no reference get one.
    ///   - keepsPictures: results hold the pictures of cases that did not pass.
    ///   - allowsOutside: scenes may name files that do not lie below the folder that was given.
    public init(
        driver: Driver? = nil, update: Update? = nil, accepted: AcceptList? = nil, keepsPictures: Bool = false,
        allowsOutside: Bool = false, draw: @escaping Draw
    ) {
        self.draw = draw
        self.driver = driver
        self.update = update
        self.accepted = accepted
        self.keepsPictures = keepsPictures
        self.allowsOutside = allowsOutside
    }

    /// What becomes of one case. Whatever is wrong with it is told in the result.
    /// - Throws: `ImageError.unwritable` alone, where a reference is to be written and can't be.
    public mutating func verify(_ sceneCase: SceneCase) throws(ImageError) -> CaseResult {
        let clock = ContinuousClock()
        let start = clock.now
        var finding = Finding(.broken, "")
        do {
            let source = try self.source(of: sceneCase)
            finding = update == .all ? Finding(.missing, "") : try judge(source, sceneCase)
            if updates(finding.state) {
                finding = try record(source, sceneCase)
            } else if let picture = accepted?.picture(for: sceneCase.path), finding.state.isAcceptable {
                finding = try accept(picture, source, sceneCase)
            }
        } catch let error as ImageError where error.kind == .unwritable {
            throw error
        } catch {
            finding = Finding(.broken, "\(error)")
        }
        return finding.result(of: sceneCase, driver: driver, after: clock.now - start)
    }

    private mutating func source(of sceneCase: SceneCase) throws -> SceneSource {
        let confinement = sceneCase.confinement(allowsOutside: allowsOutside)
        for path in [sceneCase.path, sceneCase.referencePath] where !confinement.allows(path) {
            throw DocumentError(at: .key(path: path), "it \(PathConfinement.problem)")
        }
        return try SceneSource(sceneCase.path, in: confinement, pages: &pages)
    }

    private func updates(_ state: CaseResult.State) -> Bool {
        switch (update, state) {
        case (.missing?, .missing), (.failed?, .missing), (.failed?, .failed), (.all?, .missing): true
        default: false
        }
    }

    private func judge(_ source: SceneSource, _ sceneCase: SceneCase) throws -> Finding {
        let path = sceneCase.referencePath
        guard access(path, F_OK) == 0 else {
            return Finding(
                .missing, "there is no reference \(path); draw it with --update missing", pictures: unjudged(source))
        }
        let reference: Image
        do {
            reference = try PNG.read(path: path)
        } catch {
            return Finding(.failed, "\(error)", pictures: unjudged(source))
        }
        do {
            let actual = try draw(source.scene, source.images)
            return try compare(source, reference: reference, actual: actual)
        } catch {
            return Finding(.broken, "\(error)", pictures: try kept { try CasePictures(reference: reference) })
        }
    }

    private func compare(_ source: SceneSource, reference: Image, actual: Image) throws -> Finding {
        let verdict = try Verdict(source.limits, scene: source.scene, reference: reference, actual: actual)
        let pictures =
            verdict.isMet
            ? nil : try kept { try CasePictures(reference: reference, actual: actual, difference: verdict.difference) }
        return Finding(verdict, of: source.limits, pictures: pictures)
    }

    private func kept(_ pictures: () throws -> CasePictures) rethrows -> CasePictures? {
        keepsPictures ? try pictures() : nil
    }

    /// What is drawn where there is nothing to compare it with; nil where it can't be drawn.
    private func unjudged(_ source: SceneSource) -> CasePictures? {
        try? kept { try CasePictures(actual: draw(source.scene, source.images)) }
    }
}

// MARK: - Writing references

extension Verifier {
    /// References are drawn by the double-precision renderer, never by the one under test.
    private func record(_ source: SceneSource, _ sceneCase: SceneCase) throws -> Finding {
        let reference = try Oracle().render(source.scene, images: source.images)
        try PNG.write(reference, to: sceneCase.referencePath)
        return Finding(
            .written, "\(sceneCase.referencePath) written; look at it and run again",
            pictures: try kept { try CasePictures(reference: reference) })
    }

    /// Accepting writes the double-precision renderer's picture too, and only where the picture that was looked at is
    /// still drawn and agrees with it.
    private func accept(_ accepted: PictureHash, _ source: SceneSource, _ sceneCase: SceneCase) throws -> Finding {
        let actual = try draw(source.scene, source.images)
        let reference = try Oracle().render(source.scene, images: source.images)
        let verdict = try Verdict(source.limits, scene: source.scene, reference: reference, actual: actual)
        let pictures = try kept {
            try CasePictures(reference: reference, actual: actual, difference: verdict.difference)
        }
        if PictureHash(of: actual) != accepted {
            let message = "not accepted: another picture is drawn now than the list accepts; look at it and accept it"
            return Finding(.failed, message, pictures: pictures)
        }
        guard verdict.isMet else {
            let message = "not accepted: the double-precision renderer draws the scene otherwise: \(verdict.message)"
            return Finding(.failed, message, pictures: pictures)
        }
        try PNG.write(reference, to: sceneCase.referencePath)
        return Finding(.written, "\(sceneCase.referencePath) written as accepted; run again", pictures: pictures)
    }
}

extension CaseResult.State {
    /// Whether a person can say that the picture is right and the reference is not.
    package var isAcceptable: Bool { self == .failed || self == .missing }
}
