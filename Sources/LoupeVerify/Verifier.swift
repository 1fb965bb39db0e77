import Glibc
import LoupeImaging
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
    private var pages = PageStore()

    /// - Parameter driver: what `draw` draws with, for the results.
    public init(driver: Driver? = nil, update: Update? = nil, draw: @escaping Draw) {
        self.draw = draw
        self.driver = driver
        self.update = update
    }

    /// What becomes of one case. Whatever is wrong with it is told in the result.
    /// - Throws: `PNGError.unwritable` alone, where a reference is to be written and can't be.
    public mutating func verify(_ sceneCase: SceneCase) throws(PNGError) -> CaseResult {
        let clock = ContinuousClock()
        let start = clock.now
        var finding = Finding(.broken, "")
        do {
            let source = try SceneSource(sceneCase.path, pages: &pages)
            finding = update == .all ? Finding(.missing, "") : judge(source, sceneCase)
            if updates(finding.state) { finding = try record(source, sceneCase) }
        } catch let error as PNGError where error.kind == .unwritable {
            throw error
        } catch {
            finding = Finding(.broken, "\(error)")
        }
        return finding.result(of: sceneCase, driver: driver, after: clock.now - start)
    }

    private func updates(_ state: CaseResult.State) -> Bool {
        switch (update, state) {
        case (.missing?, .missing), (.failed?, .missing), (.failed?, .failed), (.all?, .missing): true
        default: false
        }
    }

    /// References are drawn by the double-precision renderer, never by the one under test.
    private func record(_ source: SceneSource, _ sceneCase: SceneCase) throws -> Finding {
        let reference = try Oracle().render(source.scene, images: source.images)
        try PNG.write(reference, to: sceneCase.referencePath)
        return Finding(.written, "\(sceneCase.referencePath) written; look at it and run again")
    }

    private func judge(_ source: SceneSource, _ sceneCase: SceneCase) -> Finding {
        let path = sceneCase.referencePath
        guard access(path, F_OK) == 0 else {
            return Finding(.missing, "there is no reference \(path); draw it with --update missing")
        }
        let reference: Image
        do {
            reference = try PNG.read(path: path)
        } catch {
            return Finding(.failed, "\(error)")
        }
        do {
            let actual = try draw(source.scene, source.images)
            let verdict = try Verdict(
                source.limits, scene: source.scene, reference: reference, actual: actual)
            return Finding(verdict, of: source.limits)
        } catch {
            return Finding(.broken, "\(error)")
        }
    }
}
