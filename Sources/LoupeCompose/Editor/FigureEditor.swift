import LoupeBase
import LoupePlan
import LoupeScene

/// An editor of a figure: what is selected, what is dragged, and what can be undone.
///
/// It knows nothing of the page that shows it. Positions are in canvas pixels.
package struct FigureEditor: Sendable {
    /// What the figure lies on.
    package let page: EditedPage
    /// What the command says about the figure.
    package let brief: EditorBrief
    /// The figure as it is now.
    package internal(set) var figure: EditedFigure
    /// Which loupe is selected; nil for none.
    package internal(set) var selection: Int?
    /// Lines along which what is dragged has snapped.
    package internal(set) var guides: [Guide] = []
    /// What the last action has to say; empty for nothing.
    package internal(set) var message = ""
    /// How many canvas pixels a pixel of the screen is wide. Handles and snapping are as large on every screen.
    package var unit = 1.0
    var drag: Drag?

    private struct Moment: Sendable {
        var figure: EditedFigure
        var selection: Int?
    }

    private var undone: [Moment] = []
    private var done: [Moment] = []
    /// What the last change was, so that others of its kind are undone with it.
    private var lastChange: String?

    /// The most changes that can be undone.
    private static let longestHistory = 200

    /// An editor of a scene and what the command says about it.
    package init(
        _ scene: Scene, brief: EditorBrief, size: ImageSize, isPage: Bool, isOpaque: Bool = true, isPixelArt: Bool
    ) {
        let facts = PageFacts(
            size: size, isOpaque: isOpaque, isPixelArt: isPixelArt, tone: brief.tone, contrast: brief.contrast)
        page = EditedPage(scene: scene, facts: facts, isPage: isPage)
        self.brief = brief
        figure = EditedFigure(
            loupes: scene.loupes.enumerated().map { index, loupe in
                EditedLoupe(
                    loupe, given: brief.given.indices.contains(index) ? brief.given[index] : [],
                    hasFixedLook: !isPage)
            }, accent: brief.accent, isPlain: brief.isPlain, text: brief.text,
            labels: isPage ? [] : scene.labels, scaleBars: isPage ? [] : scene.scaleBars)
        selection = figure.loupes.indices.last
    }

    // MARK: - Undo

    /// Whether there is a change to undo.
    package var canUndo: Bool { !done.isEmpty }
    /// Whether there is an undone change to do again.
    package var canRedo: Bool { !undone.isEmpty }

    /// Changes the figure, so that the change can be undone. Nothing is remembered where nothing changes.
    /// - Parameter kind: consecutive changes of a kind are undone together; nil for a change of its own.
    mutating func change(_ kind: String? = nil, _ body: (inout FigureEditor) -> Void) {
        let before = Moment(figure: figure, selection: selection)
        message = ""
        body(&self)
        if let selection, !figure.loupes.indices.contains(selection) { self.selection = figure.loupes.indices.last }
        guard figure != before.figure else { return }
        if kind == nil || kind != lastChange || done.isEmpty { remember(before) }
        (lastChange, undone) = (kind, [])
    }

    private mutating func remember(_ moment: Moment) {
        done.append(moment)
        if done.count > Self.longestHistory { done.removeFirst() }
    }

    /// Goes back to before the last change.
    package mutating func undo() {
        cancelDrag()
        guard let last = done.popLast() else { return }
        undone.append(Moment(figure: figure, selection: selection))
        (figure, selection, lastChange, message) = (last.figure, last.selection, nil, "Undone.")
    }

    /// Does again what was undone last.
    package mutating func redo() {
        cancelDrag()
        guard let next = undone.popLast() else { return }
        remember(Moment(figure: figure, selection: selection))
        (figure, selection, lastChange, message) = (next.figure, next.selection, nil, "Done again.")
    }

    // MARK: - Dragging as one change

    /// Begins what ends as one change, or as none.
    mutating func beginDrag(_ drag: Drag) {
        self.drag = drag
        message = ""
    }

    /// Makes what was dragged one change.
    mutating func finishDrag() {
        guard let drag else { return }
        (self.drag, guides) = (nil, [])
        guard figure != drag.before else { return }
        remember(Moment(figure: drag.before, selection: drag.selection))
        (lastChange, undone) = (nil, [])
    }

    /// Puts everything back to where it was before the drag.
    package mutating func cancelDrag() {
        guard let drag else { return }
        (self.drag, guides) = (nil, [])
        (figure, selection) = (drag.before, drag.selection)
    }

    // MARK: - Loupes

    /// Selects a loupe, or none.
    package mutating func select(_ index: Int?) {
        selection = index.flatMap { figure.loupes.indices.contains($0) ? $0 : nil }
        (lastChange, message) = (nil, "")
    }

    /// The canvas, from 0, in pixels.
    var canvas: Rect { page.scene(in: figure.frame).canvas.rect }

    /// Adds a loupe that shows a point, and places it beside what the page shows.
    package mutating func add(showing point: Point?) {
        change { editor in
            let shown = (point ?? editor.canvas.center).onWholePixels.limited(to: editor.canvas)
            let model = editor.figure.loupes.last
            let radius = LoupeRequest.defaultRadius(on: editor.page.scene(in: editor.figure.frame).canvas)
            var new = EditedLoupe(
                Loupe(center: shown, radius: radius, zoom: 4, filter: editor.page.isPage ? .auto : .cubic))
            if let model {
                new.given = model.given
                let (center, split) = (new.loupe.center, model.loupe.split)
                new.loupe = model.loupe
                (new.loupe.center, new.loupe.focus, new.loupe.split) = (center, center, split)
                new.hasFixedLook = model.hasFixedLook
            }
            if new.loupe.callout == nil { new.loupe.callout = .usual }
            editor.figure.loupes.append(new)
            let index = editor.figure.loupes.count - 1
            editor.selection = index
            if editor.place([index]) != nil {
                editor.figure.loupes[index].loupe.center = editor.besideFocus(of: new.loupe)
            }
        }
    }

    /// A centre beside the source of a loupe for which no place is sought, or none is free.
    func besideFocus(of loupe: Loupe) -> Point {
        let side = loupe.focus.x < canvas.center.x ? 1.0 : -1
        let way = Vector(dx: side * 1.6 * loupe.radius, dy: (loupe.focus.y < canvas.center.y ? 1 : -1) * loupe.radius)
        return (loupe.focus + way).onWholePixels.limited(to: canvas)
    }

    /// Deletes the selected loupe.
    package mutating func delete() {
        guard let selection else { return }
        change { editor in
            editor.figure.remove(at: selection)
            editor.selection = editor.figure.loupes.isEmpty ? nil : min(selection, editor.figure.loupes.count - 1)
            editor.message = "Loupe \(selection + 1) deleted."
        }
    }

    // MARK: - Places

    /// Finds a place for the selected loupe, as `--place auto` does. A loupe that magnifies what lies below becomes one that
    /// shows its place.
    package mutating func placeSelected() {
        guard let selection else { return }
        change { editor in
            if editor.figure.loupes[selection].magnifiesInPlace {
                editor.figure.loupes[selection].loupe.callout = .usual
            }
            if let error = editor.place([selection]) { editor.refuse(error) }
        }
    }

    /// Finds places for all loupes that show another place, as `--place auto` does.
    package mutating func placeAll() {
        let indices = figure.loupes.indices.filter { !figure.loupes[$0].magnifiesInPlace }
        guard !indices.isEmpty else {
            message = "No loupe shows another place. Place one by itself, or add one."
            return
        }
        change { editor in if let error = editor.place(indices) { editor.refuse(error) } }
    }

    private mutating func refuse(_ error: PlacementError) { message = "\(error.description). Make the loupes smaller." }

    /// Moves loupes to where the command would place them; returns why it can't.
    private mutating func place(_ indices: [Int]) -> PlacementError? {
        do {
            let placer = LoupePlacer(page.styled(figure), contrast: brief.contrast)
            let placed = try placer.placing(indices)
            for index in indices { figure.loupes[index].loupe.center = placed.loupes[index].center }
            return nil
        } catch {
            return error
        }
    }
}

extension Callout {
    /// A ring and two lines, as for `--callout`.
    static let usual = Callout(ring: Callout.Ring(), connector: Connector(.lines(width: Connector.defaultWidth)))
}

extension Point {
    /// The nearest point of whole pixels.
    var onWholePixels: Point { Point(x: x.rounded(), y: y.rounded()) }

    /// The nearest point of a rect.
    func limited(to rect: Rect) -> Point {
        Point(x: x.clamped(to: rect.minX...rect.maxX), y: y.clamped(to: rect.minY...rect.maxY))
    }
}
