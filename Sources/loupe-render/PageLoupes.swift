import ArgumentParser
import LoupeGeometry
import LoupeJSON
import LoupeScene

/// Several loupes with different properties, and the choice of their centres.
struct SeveralLoupesOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A loupe with properties of its own; repeat for more. Words: \(PictureOption.wordForms).",
            valueName: "KEY=VALUE …"))
    var loupe: [LoupeText] = []

    @Option(
        help: ArgumentHelp(
            "auto: choose the centres of loupes that have only a focus, so that they cover no ring and no other loupe.",
            valueName: "auto"))
    var place: PlacePolicy?
}

enum PlacePolicy: String, ExpressibleByArgument, CaseIterable {
    case auto
}

/// All loupes that the flags put over a page.
struct PageLoupes {
    let single: LoupeOptions
    let callouts: CalloutOptions
    let several: SeveralLoupesOptions

    var given: [String] { single.given + callouts.given + several.given }

    /// Puts the loupes over a page: that of `--at` or those of `--callout`, then those of `--loupe`.
    func add(to scene: inout Scene, page: PlacedPage) throws {
        let canvas = scene.canvas
        var asked = try flagged(on: canvas, page)
        for (index, text) in several.loupe.enumerated() {
            let flag = JSONPath.key("--loupe", in: .document)
            let path = several.loupe.count > 1 ? .index(index, in: flag) : flag
            let (loupe, hasPlace) = try text.loupe(
                at: path, radius: LoupeOptions.defaultRadius(on: canvas), page: page)
            guard hasPlace || several.place == .auto else {
                throw Failure(.usage, "\(path).at: missing; say where the loupe is with at=X,Y, or use --place auto")
            }
            guard hasPlace || text.names("focus") else {
                throw Failure(
                    .usage,
                    "\(path).focus: missing; say what the loupe shows with focus=X,Y, or where it is with at=X,Y")
            }
            asked.append((loupe, hasPlace))
        }
        scene.loupes = asked.map(\.loupe)
        let unplaced = asked.indices.filter { !asked[$0].hasPlace }
        if several.place == .auto, asked.isEmpty {
            throw Failure(
                .usage, "--place: there is no loupe; say what one shows with --callout FX,FY or --loupe focus=X,Y")
        }
        if several.place == .auto, unplaced.isEmpty {
            throw Failure(
                .usage, "--place: every loupe has a centre already; leave out --place, or @CX,CY or at=X,Y of one")
        }
        do {
            scene = try LoupePlacer(scene).placing(unplaced)
        } catch {
            throw Failure(.badInput, "--place auto: \(error.description)")
        }
    }

    private func flagged(on canvas: Scene.Canvas, _ page: PlacedPage) throws -> [(loupe: Loupe, hasPlace: Bool)] {
        if !callouts.callout.isEmpty, single.at != nil || single.focus != nil {
            throw Failure(.usage, "--callout: it says where the loupe is and what it shows; leave out --at and --focus")
        }
        let places =
            callouts.callout.isEmpty
            ? [single.at.map { (center: $0 as Position?, focus: single.focus) }].compactMap(\.self)
            : callouts.callout.map { (center: $0.center, focus: $0.focus as FocusArgument?) }
        guard !places.isEmpty else {
            guard let flag = (single.given + callouts.given).first else { return [] }
            let problem = several.loupe.isEmpty ? "there is no loupe" : "it does not apply to the loupes of --loupe"
            throw Failure(.usage, "\(flag): \(problem); add a loupe with --at X,Y or --callout FX,FY@CX,CY")
        }
        let flag = callouts.callout.isEmpty ? "--focus" : "--callout"
        return try places.map { place in
            let focus = place.focus?.resolved(on: page)
            guard let center = place.center?.point(on: page) ?? (several.place == .auto ? focus?.point : nil) else {
                throw Failure(
                    .usage, "--callout: it does not say where the loupe is; write FX,FY@CX,CY, or use --place auto")
            }
            var loupe = try single.loupe(
                at: center, focus: focus?.point, region: focus?.region, flag: flag, on: canvas)
            try callouts.adorn(&loupe)
            return (loupe, place.center != nil)
        }
    }
}
