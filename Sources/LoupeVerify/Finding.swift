import LoupeJSON
import LoupeScene

/// What was found out about a case, before it has a name and a time.
struct Finding {
    let state: CaseResult.State
    private let message: String
    private let slack: CaseResult.Slack?
    private let details: [(key: String, value: JSONValue)]
    private let pictures: CasePictures?

    init(_ state: CaseResult.State, _ message: String, pictures: CasePictures? = nil) {
        self.state = state
        self.message = message
        self.pictures = pictures
        slack = nil
        details = []
    }

    init(_ verdict: Verdict, of limits: CaseLimits, pictures: CasePictures?) {
        self.pictures = pictures
        state = verdict.isMet ? .passed : .failed
        message = verdict.message
        slack = CaseResult.Slack(
            allowed: limits.tolerance.base, needed: verdict.needed, isStated: limits.why != nil)
        details = [("limits", limits.json), ("difference", verdict.difference.json)]
    }

    func result(of sceneCase: SceneCase, driver: Driver?, after duration: Duration) -> CaseResult {
        var object = JSONObject()
        for detail in details { _ = object.append(detail.value, forKey: detail.key) }
        if let driver { _ = object.append(driver.json, forKey: "driver") }
        return CaseResult(
            suite: sceneCase.suite, name: sceneCase.name, scene: sceneCase.path, state: state, message: message,
            milliseconds: duration.roundedMilliseconds, slack: slack, details: object,
            pictures: pictures)
    }
}

extension Duration {
    /// To a thousandth.
    fileprivate var roundedMilliseconds: Double { (self / .microseconds(1)).rounded() / 1000 }
}
