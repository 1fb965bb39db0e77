import LoupeDiff
import LoupeImaging
import LoupeScene
import LoupeVerify

/// What a picture is held to.
enum Criterion {
    case comparison(Comparison)
    case limits(CaseLimits, of: Scene)

    struct Judgement {
        let isMet: Bool
        /// The line of `loupe-render diff`, or for limits that of `verify`.
        let message: String
        let difference: Difference
    }

    /// The scene that the reference shows, where that is known.
    var scene: Scene? {
        switch self {
        case .comparison(let comparison): comparison.scene
        case .limits(_, let scene): scene
        }
    }

    func judge(reference: Image, actual: Image) throws(DiffError) -> Judgement {
        switch self {
        case .comparison(let comparison):
            let difference = try comparison.compare(reference: reference, actual: actual)
            return Judgement(isMet: difference.isSame, message: difference.summary, difference: difference)
        case .limits(let limits, let scene):
            let verdict = try Verdict(limits, scene: scene, reference: reference, actual: actual)
            return Judgement(isMet: verdict.isMet, message: verdict.message, difference: verdict.difference)
        }
    }
}
