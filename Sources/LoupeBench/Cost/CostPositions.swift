import LoupeBase
import LoupePlan
import LoupeScene

/// The shares of a loupe's disc that shaders draw, 0…1; where there is no page, none draws.
///
/// The loupe is in the middle of the page, or its centre is on the page's edge or corner.
enum DiscShares {
    /// The article's own: one shader for a loupe, over all of the disc, half of it or a quarter. Those of pieces are a plan's.
    static let all = [
        ("middle", [(ClipState.noEdge, 1.0)]), ("article, edge", [(.singleEdge, 0.5)]),
        ("article, corner", [(.corner, 0.25)]), ("pieces, edge", planned(.pieces, .singleEdge)),
        ("pieces, corner", planned(.pieces, .corner)),
    ]

    /// What a plan has for a loupe of radius 300 at zoom 4.
    static func planned(_ policy: ShaderPolicy, _ state: ClipState) -> [(ClipState, Double)] {
        guard let stage = Stage(Setting(radius: 300, zoom: 4, filter: .linear)) else { return [] }
        var scene = stage.scene(state)
        // Beside the border of two pixels, so that the edge feathers some.
        let corner = Point(x: stage.page.minX + 0.1, y: stage.page.minY + 0.1)
        let center = state == .corner ? corner : Point(x: corner.x, y: stage.page.center.y)
        (scene.loupes[0].center, scene.loupes[0].focus) = (center, center)
        let images = [BenchPage.path: ImageTraits(size: stage.pageSize, isOpaque: true)]
        let view = DrawPlan(scene, images: images, policy: policy).views[1]
        return [ClipState.noEdge, .singleEdge, .corner].map {
            ($0, Double(view.layers[0].pixelCount($0)) / Double(view.region.pixelCount))
        }.filter { $1 > 0 }
    }
}

extension CostRun {
    /// What a loupe costs with each content: the instructions of each shader, times the share of the disc that it draws.
    package var positionText: String {
        let contents = rows.filter { $0.name.hasPrefix("no-edge/") }.map { $0.name.dropFirst("no-edge/".count) }
        let tables = contents.map { content in
            var table = Table(
                title: "\(content): instructions × share of the disc / times those in the page's middle",
                headings: ["loupe"] + architectures.map(\.title), isNumeric: [false] + architectures.map { _ in true })
            func instructions(_ state: ClipState, _ index: Int) -> Double {
                rows.first { $0.name == "\(state.rawValue)/\(content)" }.map { Double($0.costs[index].instructions) }
                    ?? 0
            }
            table.rows = DiscShares.all.map { name, shares in
                [name]
                    + architectures.indices.map { index in
                        let sum = shares.reduce(0) { $0 + $1.1 * instructions($1.0, index) }
                        return "\(sum.text(places: 1)) / \((sum / instructions(.noEdge, index)).text(places: 2))"
                    }
            }
            return table.text + "\n"
        }
        let notes = DiscShares.all.map { name, shares in
            "- \(name): " + shares.map { "\($0.rawValue) \(($1 * 100).text(places: 2)) %" }.joined(separator: ", ")
                + "\n"
        }
        return tables.joined() + notes.joined()
    }
}
