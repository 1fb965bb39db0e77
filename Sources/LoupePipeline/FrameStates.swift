import LoupeBase
import LoupeMotion
import LoupePlan
import LoupeScene

extension MotionFrame {
    /// What `replay --states` writes of a frame: its number and time, the model's own values, and the state of each layer in
    /// each view. Live pages compile this file too.
    /// - Parameter time: in seconds.
    func described(number: Int, at time: Double, images: [ImagePath: ImageTraits]) -> JSONValue {
        let plan = DrawPlan(scene, images: images)
        var views: [JSONValue] = []
        for view in plan.views {
            for layer in view.layers {
                views.append([
                    "view": .string(view.view.kind.description), "layer": .number(Double(layer.index)),
                    "state": .string(layer.state.rawValue),
                ])
            }
        }
        var object = JSONObject()
        _ = object.append(.number(Double(number)), forKey: "frame")
        _ = object.append(.number(time), forKey: "t")
        if case .object(let values) = states {
            for member in values.members { _ = object.append(member.value, forKey: member.key) }
        }
        _ = object.append(.array(views), forKey: "views")
        return .object(object)
    }
}
