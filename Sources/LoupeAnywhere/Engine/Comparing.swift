import LoupeBase
import LoupeCompare
import LoupeImaging
import LoupeScene

/// The comparison of two pictures, as `diff` and `verify` make it.
struct Comparing {
    private var limits: CaseLimits
    private let scene: Scene?

    /// - Parameters:
    ///   - given: the limits, by the names of the flags as a scene's `verify` key has them.
    ///   - mask: whose white pixels are left out.
    ///   - scene: that the reference shows.
    init(_ given: JSONReader, mask: Image?, scene: Scene?) throws(Refusal) {
        limits = try reading { () throws(DocumentError) in
            try CaseLimits(given, over: CaseLimits(Comparison()), isOfScene: given.has("why"))
        }
        limits.comparison.exclusion.mask = mask
        limits.comparison.scene = scene
        self.scene = scene
        if let tolerance = limits.tolerance, !tolerance.regions.isEmpty, scene == nil {
            throw Refusal(64, "--tolerance: regions are only known with --scene SCENE")
        }
    }

    /// The limits that a scene states, or those that are given, over those that the specification gives the scene.
    init(_ given: JSONReader, of scene: Scene, stated: JSONReader?) throws(Refusal) {
        let specified = CaseLimits(for: scene)
        limits = try reading { () throws(DocumentError) in
            if let stated { return try CaseLimits(stated, over: specified) }
            return try CaseLimits(given, over: specified, isOfScene: given.has("why"))
        }
        self.scene = scene
    }

    /// The numbers, and the result for a person.
    func result(reference: Image, actual: Image) throws(Refusal) -> (json: JSONValue, Verdict) {
        let verdict: Verdict
        do throws(DiffError) {
            verdict = try Verdict(limits, scene: scene, reference: reference, actual: actual)
        } catch {
            throw Refusal(65, error.description)
        }
        let word = verdict.isMet ? "same: " : "differs: "
        let json: JSONValue = [
            "difference": verdict.json, "limits": limits.json, "same": .bool(verdict.isMet),
            "message": .string(verdict.message), "summary": .string(word + verdict.findings.joined(separator: "\n  ")),
        ]
        return (json, verdict)
    }

    /// The picture of the differences, as `diff --output` writes it.
    static func picture(of verdict: Verdict, over reference: Image) -> Image {
        ErrorMapPicture.draw(verdict.difference) ?? DifferencePicture.draw(verdict.difference, over: reference)
    }
}
