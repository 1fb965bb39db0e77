import ArgumentParser
import LoupeGeometry
import LoupeJSON
import LoupePlan
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
            "Choose the centres of loupes that have only a focus. auto: on the page's free areas and in the margin, in line where that is possible; beside: on a wider canvas, beside the page on the side that needs least. Loupes without a size are smaller than by default where that covers less.",
            valueName: "auto|beside"))
    var place: PlacePolicy?
}

/// Where loupes go that nobody gave a place.
enum PlacePolicy: String, ExpressibleByArgument, CaseIterable {
    case auto, beside

    var flag: String { "--place \(rawValue)" }
}

/// All loupes that the flags put over a page.
struct PageLoupes {
    let single: LoupeOptions
    let callouts: CalloutOptions
    let several: SeveralLoupesOptions
    let look: StyleOptions

    var given: [String] { single.given + callouts.given + several.given + look.given }

    /// The texts of marks that single loupes have, by their index in a scene with so many loupes.
    func marks(count: Int) -> [Int: String] {
        let first = count - several.loupe.count
        let texts = several.loupe.enumerated().compactMap { index, text in text.label.map { (first + index, $0) } }
        return Dictionary(uniqueKeysWithValues: texts)
    }

    /// Loupes over a page, of which some are still to be placed.
    struct Asked {
        var scene: Scene
        /// The loupes without a place; their centres mean nothing.
        var unplaced: [Int]
        /// Whether one of them has the default radius.
        var hasStandardRadius: Bool
        /// What completes their look; nil for nothing.
        var style: DefaultStyle?
    }

    /// A loupe, whether the flags say where it is, and what they say about its look.
    private typealias AskedLoupe = (loupe: Loupe, hasPlace: Bool, given: DefaultStyle.Parts)

    /// Puts the loupes over a page: that of `--at` or those of `--callout`, then those of `--loupe`.
    /// - Parameter radius: of loupes for which none is given; nil for the default one.
    func asked(on page: PlacedPage, of scene: Scene, radius: Double? = nil) throws -> Asked {
        let radius = radius ?? LoupeOptions.defaultRadius(on: scene.canvas)
        var asked = try flagged(on: page, radius: radius)
        for (index, text) in several.loupe.enumerated() {
            let flag = JSONPath.key("--loupe", in: .document)
            let path = several.loupe.count > 1 ? .index(index, in: flag) : flag
            let (loupe, hasPlace, given) = try text.loupe(at: path, radius: radius, page: page, isPlain: look.plain)
            guard hasPlace || several.place != nil else {
                throw Failure(.usage, "\(path).at: missing; say where the loupe is with at=X,Y, or use --place auto")
            }
            guard hasPlace || text.names("focus") else {
                throw Failure(
                    .usage,
                    "\(path).focus: missing; say what the loupe shows with focus=X,Y, or where it is with at=X,Y")
            }
            if loupe.callout != nil, !text.names("focus") {
                let key = text.names("ring") ? "ring" : "connector"
                throw Self.coveredSource(flag: "\(path).\(key)", remedy: "focus=X,Y")
            }
            asked.append((loupe, hasPlace, given))
        }
        var scene = scene
        scene.loupes = asked.map(\.loupe)
        if asked.isEmpty, let flag = look.given.first {
            throw Failure(.usage, "\(flag): there is no loupe; add a loupe with --at X,Y or --callout FX,FY@CX,CY")
        }
        let style = try look.style(of: scene.loupes, given: asked.map(\.given))
        if let style { scene = style.shaped(scene) }
        scene = scene.ditheringWideShadows()
        let unplaced = asked.indices.filter { !asked[$0].hasPlace }
        if several.place != nil, asked.isEmpty {
            throw Failure(
                .usage, "--place: there is no loupe; say what one shows with --callout FX,FY or --loupe focus=X,Y")
        }
        if several.place != nil, unplaced.isEmpty {
            throw Failure(
                .usage, "--place: every loupe has a centre already; leave out --place, or @CX,CY or at=X,Y of one")
        }
        let first = asked.count - several.loupe.count
        let hasStandardRadius = unplaced.contains { $0 < first ? !single.isSized : !several.loupe[$0 - first].isSized }
        return Asked(
            scene: scene, unplaced: unplaced, hasStandardRadius: hasStandardRadius,
            style: scene.loupes.isEmpty ? nil : style)
    }

    private func flagged(on page: PlacedPage, radius: Double) throws -> [AskedLoupe] {
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
            guard let center = place.center?.point(on: page) ?? (several.place != nil ? focus?.point : nil) else {
                throw Failure(
                    .usage, "--callout: it does not say where the loupe is; write FX,FY@CX,CY, or use --place auto")
            }
            var loupe = try single.loupe(
                at: center, focus: focus?.point, region: focus?.region, flag: flag, standardRadius: radius,
                isPlain: look.plain)
            try callouts.adorn(&loupe)
            if loupe.callout != nil, focus == nil {
                let flag = callouts.given.first { $0.hasPrefix("--ring") || $0.hasPrefix("--connector") }
                throw Self.coveredSource(flag: flag ?? "--connector", remedy: "--focus X,Y")
            }
            return (loupe, place.center != nil, single.givenParts.union(callouts.givenParts))
        }
    }

    /// A ring or a connector has no effect where the loupe lies over its source.
    private static func coveredSource(flag: String, remedy: String) -> Failure {
        Failure(
            .usage,
            "\(flag): the loupe covers the part of the page that it shows; say which other one with \(remedy)")
    }
}
