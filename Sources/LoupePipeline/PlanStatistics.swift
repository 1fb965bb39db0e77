import LoupeBase
import LoupePlan
import LoupeScene

extension DrawPlan {
    /// The shaders of each layer in each view, and how many pixels each draws.
    var layerStatistics: [JSONValue] {
        namedViews.flatMap { name, view in view.layers.map { Self.json(name, $0) } }
    }

    /// Each view by its name; a split loupe's other half follows the loupe.
    private var namedViews: [(name: String, view: ViewPlan)] {
        self.views.flatMap { view -> [(name: String, view: ViewPlan)] in
            let name = view.view.kind.description
            guard case .loupe(let index) = view.view.kind, let other = otherHalves[index] else {
                return [(name, view)]
            }
            return [(name, view), ("\(name) versus", other)]
        }
    }

    private static func json(_ name: String, _ layer: LayerPlan) -> JSONValue {
        [
            "view": .string(name),
            "layer": .number(Double(layer.index)),
            "state": .string(layer.state.rawValue),
            "pixels": [
                "no-edge": .number(Double(layer.pixelCount(.noEdge))),
                "single-edge": .number(Double(layer.pixelCount(.singleEdge))),
                "corner": .number(Double(layer.pixelCount(.corner))),
                "outside": .number(Double(layer.pixelCount(.outside))),
            ],
        ]
    }
}
