import LoupeBase
import LoupePlan
import LoupeScene

/// An editor of a figure: the options of the command that draws it, what a hand does to them, and what can be undone.
///
/// It knows neither the page that shows the figure nor how it is drawn. Positions are in pixels of the picture that was drawn
/// last.
package struct FigureEditor: Sendable {
    /// A command without its input and output.
    package struct Command: Hashable, Sendable {
        /// The options of the page and its loupes.
        package var options: GivenOptions
        /// The words of all other options, as somebody wrote them.
        package var others: [String]

        package init(_ options: GivenOptions, others: [String]) { (self.options, self.others) = (options, others) }
    }

    /// As the hand has made it.
    package private(set) var command: Command
    /// What the last action has to say; empty for nothing.
    package private(set) var message = ""
    /// The loupe that the last action made; nil where it made none.
    package private(set) var added: Int?
    /// Lines along which what is dragged has snapped, in pixels of the picture.
    private(set) var guides: [Guide] = []

    private var undone: [Command] = []
    private var done: [Command] = []
    /// What the last change was, so that others of its kind are undone with it.
    private var lastChange: String?
    private var drag: Drag?

    /// The most changes that can be undone.
    private static let longestHistory = 200

    /// An editor of a command.
    package init(_ command: Command) { self.command = command }

    /// Whether there is a change to undo.
    var canUndo: Bool { !done.isEmpty }
    /// Whether there is an undone change to do again.
    var canRedo: Bool { !undone.isEmpty }

    /// The command's loupes, in the order in which they are drawn.
    var loupes: [EditedLoupe] { EditedLoupe.all(in: command.options) }

    /// The options that the command draws: without those that it would refuse, as no loupe is there for them any more.
    package var drawn: GivenOptions {
        var options = command.options
        let loupes = loupes
        if loupes.isEmpty { options.keep { Self.ofPage.contains($0.name) } }
        if !loupes.contains(where: { $0.isUnplaced }) { options.set(.place, to: nil) }
        if !loupes.contains(where: { $0.isCallout || $0.source == .flags }) { options.leaveOutLoupe() }
        return options
    }

    /// The options that say how the page is drawn.
    private static let ofPage: Set<String> = Set(
        [
            PictureOption.canvas, .margin, .background, .frame, .corner, .cornerKeepDiagonal, .pageFilter, .scale,
            .blending, .alt, .compareWith, .titles, .columns,
        ].map { $0.name })

    // MARK: - Changes

    /// Changes the command, so that the change can be undone.
    /// - Parameter kind: consecutive changes of a kind are undone together; nil for a change of its own.
    package mutating func change(
        _ kind: String? = nil, _ body: (inout Command) throws(ComposeError) -> Void
    ) throws(ComposeError) {
        var new = command
        (message, added) = ("", nil)
        try body(&new)
        guard new != command else { return }
        if kind == nil || kind != lastChange {
            done.append(command)
            if done.count > Self.longestHistory { done.removeFirst() }
        }
        (command, lastChange, undone) = (new, kind, [])
    }

    private mutating func undo() {
        guard let last = done.popLast() else { return }
        undone.append(command)
        (command, lastChange, message) = (last, nil, "Undone.")
    }

    private mutating func redo() {
        guard let next = undone.popLast() else { return }
        done.append(command)
        (command, lastChange, message) = (next, nil, "Done again.")
    }

    // MARK: - Actions

    /// Does what a page asks for.
    /// - Parameter figure: as the page shows it.
    /// - Throws: `ComposeError` for what it can't do.
    package mutating func apply(_ action: EditAction, on figure: DrawnFigure) throws(ComposeError) {
        guides = []
        switch action {
        case .addPoint(let point): try add(figure.text(of: figure.asked(point.limited(to: figure.onPage)), like: nil))
        case .addRegion(let rect): try add(figure.text(of: figure.asked(rect), like: nil))
        case .drag(let step): try move(step, on: figure)
        case .set(let option, let value, let loupe):
            try change("\(option.name) \(loupe ?? -1)") { command throws(ComposeError) in
                guard let loupe else { return command.options.set(option, to: value) }
                var edited = try Self.loupe(loupe, of: command)
                try edited.set(option, to: value)
                edited.write(to: &command.options)
            }
        case .delete(let loupe):
            try change { command throws(ComposeError) in
                try Self.loupe(loupe, of: command).remove(from: &command.options)
            }
            message = "Deleted."
        case .undo: undo()
        case .redo: redo()
        }
    }

    private static func loupe(_ index: Int, of command: Command) throws(ComposeError) -> EditedLoupe {
        let all = EditedLoupe.all(in: command.options)
        guard all.indices.contains(index) else { throw ComposeError(.usage, "there is no loupe \(index + 1)") }
        return all[index]
    }

    /// Adds a callout of a place.
    private mutating func add(_ focus: String) throws(ComposeError) {
        // The flags of a single loupe would be those of all callouts.
        let isBesideFlags = command.options.has(.at)
        try change { command in
            let (option, text) =
                isBesideFlags
                ? (PictureOption.loupe, "focus=\(focus) ring= connector=lines") : (PictureOption.callout, focus)
            command.options.add(option.name, text.utf8)
        }
        let all = loupes
        added = all.lastIndex { if case .callout = $0.source { !isBesideFlags } else { isBesideFlags } }
    }

    // MARK: - Dragging

    /// A drag in progress: how everything was when a hand took hold.
    private struct Drag: Sendable {
        let before: Command
        let figure: DrawnFigure
        let start: Point
    }

    private mutating func move(_ step: EditAction.DragStep, on figure: DrawnFigure) throws(ComposeError) {
        if step.isFirst || drag == nil { drag = Drag(before: command, figure: figure, start: step.from) }
        guard let drag, drag.figure.scene.loupes.indices.contains(step.loupe) else { return }
        let asked = drag.figure.asked(drag.start)
        let way = figure.asked(step.to) - asked
        let hand = HeldLoupe(index: step.loupe, edited: try Self.loupe(step.loupe, of: drag.before), on: drag.figure)
        let (moved, guides) = try hand.moved(step.part, by: way, from: asked, snaps: step.snaps, reach: step.reach)
        try change(step.gesture) { command in
            command = drag.before
            moved.write(to: &command.options)
        }
        self.guides = guides
    }
}
