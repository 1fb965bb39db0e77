import LoupeBase
import LoupePlan
import LoupeScene

/// A loupe of a figure that is being edited.
package struct EditedLoupe: Hashable, Sendable {
    /// The loupe. What `given` leaves out of its look is chosen by the style, and is of no matter here.
    package var loupe: Loupe
    /// The parts of its look that somebody has set.
    package var given: DefaultStyle.Parts
    /// Whether the style leaves the loupe alone: it comes from a scene, which says all.
    package var hasFixedLook: Bool

    package init(_ loupe: Loupe, given: DefaultStyle.Parts = [], hasFixedLook: Bool = false) {
        (self.loupe, self.given, self.hasFixedLook) = (loupe, given, hasFixedLook)
    }

    /// Whether the loupe magnifies what lies under it. Such a loupe moves as one.
    package var magnifiesInPlace: Bool { loupe.focus == loupe.center && loupe.callout == nil }

    /// The loupe as flags ask for it: with the given parts of its look, and without what the style adds.
    var asked: Loupe {
        guard !hasFixedLook else { return loupe }
        var asked = loupe
        asked.rim =
            given.has("rim.width") || given.has("rim.color") ? Loupe.Rim(width: 0, color: .defaultRim) : nil
        asked.shadow = nil
        if loupe.callout?.ring != nil { asked.callout?.ring = Callout.Ring() }
        if let style = loupe.callout?.connector?.shape.style { asked.callout?.connector = Connector(style.shape()) }
        let written = SceneFields.loupe.write(loupe)
        for path in DefaultStyle.Parts.paths where given.has(path) {
            guard let value = written.value(at: path) else { continue }
            asked = (try? SceneFields.loupe.setting(path, to: value, of: asked)) ?? asked
        }
        return asked
    }
}

/// The editable part of a figure: its loupes, their style and its text. It is a value, so that undo keeps copies.
package struct EditedFigure: Hashable, Sendable {
    /// In the order in which they are drawn.
    package var loupes: [EditedLoupe]
    /// The colour of rings and connectors whose colours nobody has set.
    package var accent: Color?
    /// Whether no style adds what is not given.
    package var isPlain: Bool
    /// Letters, zoom factors and scale bars.
    package var text: FigureText
    /// The frame that the editor puts around the page; nil for none.
    package var frame: PageFrame.Name?
    /// Labels that the scene had before.
    package var labels: [Label]
    /// Scale bars that the scene had before.
    package var scaleBars: [ScaleBar]

    /// Removes a loupe, with what lies at it.
    mutating func remove(at index: Int) {
        loupes.remove(at: index)
        var marks: [Int: String] = [:]
        for (other, mark) in text.marks where other != index { marks[other - (other > index ? 1 : 0)] = mark }
        text.marks = marks
        func moved(_ other: Int) -> Int? { other == index ? nil : other - (other > index ? 1 : 0) }
        labels = labels.compactMap { label in
            guard let anchor = label.anchor.renumbered(moved) else { return nil }
            var label = label
            label.anchor = anchor
            return label
        }
        scaleBars = scaleBars.compactMap { bar in
            guard case .loupe(let other) = bar.subject else { return bar }
            guard let other = moved(other) else { return nil }
            var bar = bar
            bar.subject = .loupe(other)
            return bar
        }
    }

    /// Removes labels that name a ring which its loupe no longer has.
    mutating func removeLabelsWithoutRings() {
        labels = labels.filter { label in
            guard case .ring(let index, _, _) = label.anchor else { return true }
            return loupes[index].loupe.callout?.ring != nil
        }
    }
}

/// The page that an edited figure lies on: everything of its scene that the editor leaves as it is.
package struct EditedPage: Sendable {
    /// The scene without loupes, labels and scale bars.
    package let scene: Scene
    /// What the page's pixels say.
    package let facts: PageFacts
    /// Whether the figure is a page with flags, so that flags can say all of it; otherwise it is a scene, which says all
    /// itself.
    package let isPage: Bool

    package init(scene: Scene, facts: PageFacts, isPage: Bool) {
        var bare = scene
        (bare.loupes, bare.labels, bare.scaleBars) = ([], [], [])
        (self.scene, self.facts, self.isPage) = (bare, facts, isPage)
    }

    /// Whether the page may get a frame: flags have put nothing around it.
    var canHaveFrame: Bool { isPage && scene.layers.count == 1 && scene.layers[0].rect == scene.canvas.rect }

    /// The scene without loupes, in a frame where there is one.
    func scene(in frame: PageFrame.Name?) -> Scene {
        guard let frame, canHaveFrame, let path = scene.layers[0].imagePath else { return scene }
        var options = GivenOptions()
        options.add(PictureOption.frame.name, frame.rawValue.utf8)
        let size = ImageSize(width: scene.canvas.width, height: scene.canvas.height)
        let layout = PageLayout(options: options, size: size, path: path, kind: facts.tone.kind)
        guard let framed = try? layout.scene() else { return scene }
        var scene = scene
        scene.canvas = framed.canvas
        (scene.layers[0].rect, scene.layers[0].corner) = (framed.layers[0].rect, framed.layers[0].corner)
        scene.layers[0].shadow = framed.layers[0].shadow
        return scene
    }

    /// The scene with the loupes as the command draws them.
    package func styled(_ figure: EditedFigure) -> Scene {
        var scene = scene(in: figure.frame)
        scene.loupes = figure.loupes.map { $0.asked }
        let styled = figure.loupes.indices.filter { !figure.loupes[$0].hasFixedLook }
        let style = DefaultStyle(
            given: styled.map { figure.loupes[$0].given }, accent: figure.accent, pixel: figure.text.pixel)
        var part = scene
        part.loupes = styled.map { scene.loupes[$0] }
        if !figure.isPlain { part = style.applied(to: part, tone: facts.tone, content: facts.content(on: scene)) }
        part = part.ditheringWideShadows()
        if styled.count == scene.loupes.count { return part }
        for (place, index) in styled.enumerated() { scene.loupes[index] = part.loupes[place] }
        return scene
    }

    /// The complete scene, as the command draws it.
    package func completed(_ figure: EditedFigure) -> Scene {
        var scene = styled(figure)
        if isPage { scene = scene.onWholePixels() }
        (scene.labels, scene.scaleBars) = (figure.labels, figure.scaleBars)
        scene = figure.text.added(to: scene, contrast: facts.contrast)
        guard isPage else { return scene }
        if figure.text.color == nil { scene = DefaultStyle.coloringText(of: scene, on: facts) }
        return FilterChoice(includesPage: false)
            .applied(to: scene, pageSize: facts.size, isPixelArt: facts.isPixelArt)
    }
}
