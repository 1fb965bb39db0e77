import LoupeBase
import LoupeCompose
import LoupePlan
import LoupeScene
import LoupeWebRenderer

// What the script of an editor's page calls, beside the functions of Exports.swift, in the same conventions.

private nonisolated(unsafe) var editor: FigureEditor?
/// The pixels of the page's pictures, straight RGBA, by number.
private nonisolated(unsafe) var texels: [Int: (size: ImageSize, pixels: [UInt8])] = [:]
/// What pixels say of a page that somebody has opened; nil once its first command is composed.
private nonisolated(unsafe) var other: PageFacts?
/// A text for the script.
private nonisolated(unsafe) var answer: [UInt8] = []
/// The complete scene of the editor's figure.
private nonisolated(unsafe) var scene: Scene?

/// Begins to edit the figure that was opened, with the brief that was written.
@_expose(wasm, "loupe_edit_open") @_cdecl("loupe_edit_open")
package func openEditor() -> Int32 {
    guard let figure else { return fail("there is no figure") }
    do {
        let brief = try EditorBrief(from: JSONReader(parsing: input))
        input = []
        let page = FilterChoice.page(of: figure.scene)
        editor = FigureEditor(
            figure.scene, brief: brief,
            size: page.flatMap { figure.traits[$0]?.size } ?? ImageSize(width: 1, height: 1),
            isPage: figure.choice != nil, isOpaque: page.flatMap { figure.traits[$0]?.isOpaque } ?? true,
            isPixelArt: figure.choice?.isPixelArt ?? false)
        update()
        return 0
    } catch {
        return fail(error.description)
    }
}

/// Takes the pixels of another page that were written, straight RGBA: the next command is about it.
@_expose(wasm, "loupe_edit_page") @_cdecl("loupe_edit_page")
package func openPage(_ width: Int32, _ height: Int32) -> Int32 {
    let size = ImageSize(width: Int(width), height: Int(height))
    guard width > 0, height > 0, input.count == 4 * size.width * size.height else { return fail("there is no picture") }
    other = PageFacts(size: size, pixels: input)
    input = []
    return 0
}

/// Composes the command that was written; the message is what the page opens then.
@_expose(wasm, "loupe_edit_command") @_cdecl("loupe_edit_command")
package func composeCommand() -> Int32 {
    guard let editor, editor.page.isPage else { return fail("a scene is changed by its handles and fields") }
    do {
        let command = try TypedCommand(String(decoding: input, as: UTF8.self))
        input = []
        if other == nil, command.page != editor.brief.command[1] {
            return fail("\(command.page): this page has \(editor.brief.command[1]) alone; open another picture first")
        }
        let json = try command.json(on: other ?? editor.page.facts, after: editor)
        other = nil
        message = Array(json.line.utf8)
        return 0
    } catch {
        return fail(error.description)
    }
}

/// Completes the figure's scene, which the next frame shows.
private func update() {
    guard let editor else { return }
    let completed = editor.page.completed(editor.figure)
    scene = completed
    figure?.edited = completed
}

/// Completes the scene again, when the page's pixels are known.
@_expose(wasm, "loupe_edit_update") @_cdecl("loupe_edit_update")
package func updateEditor() { update() }

/// A hand goes down. Returns 1 where there was something to take hold of.
/// - Parameters:
///   - unit: how many canvas pixels a pixel of the screen is wide.
///   - reach: how far the hand may miss, in pixels of the screen.
@_expose(wasm, "loupe_edit_press") @_cdecl("loupe_edit_press")
package func press(_ x: Double, _ y: Double, _ unit: Double, _ reach: Double) -> Int32 {
    guard x.isFinite, y.isFinite, unit.isFinite, reach.isFinite else { return 0 }
    editor?.unit = unit
    let isHeld = editor?.press(at: Point(x: x, y: y), reach: reach) == true
    update()
    return isHeld ? 1 : 0
}

/// The hand moves; `snaps` is 0 where nothing shall snap.
@_expose(wasm, "loupe_edit_move") @_cdecl("loupe_edit_move")
package func move(_ x: Double, _ y: Double, _ snaps: Int32) {
    guard x.isFinite, y.isFinite else { return }
    editor?.move(to: Point(x: x, y: y), snaps: snaps != 0)
    update()
}

/// The hand lets go.
@_expose(wasm, "loupe_edit_release") @_cdecl("loupe_edit_release")
package func release() {
    editor?.release()
    update()
}

/// Everything goes back to where it was before the hand went down.
@_expose(wasm, "loupe_edit_cancel") @_cdecl("loupe_edit_cancel")
package func cancel() {
    editor?.cancelDrag()
    update()
}

/// What lies under a position: 0 for nothing, or 1 more than the index of its part among all parts of handles.
@_expose(wasm, "loupe_edit_at") @_cdecl("loupe_edit_at")
package func part(_ x: Double, _ y: Double, _ unit: Double, _ reach: Double) -> Int32 {
    guard x.isFinite, y.isFinite, unit.isFinite, reach.isFinite else { return 0 }
    editor?.unit = unit
    guard let handle = editor?.handle(at: Point(x: x, y: y), reach: reach) else { return 0 }
    return Int32(Handle.Part.allCases.firstIndex(of: handle.part) ?? 0) + 1
}

/// Moves a handle by keys: the index of its part among all parts, its loupe, a step of each axis, and 1 for small steps.
@_expose(wasm, "loupe_edit_nudge") @_cdecl("loupe_edit_nudge")
package func nudge(_ part: Int32, _ loupe: Int32, _ dx: Double, _ dy: Double, _ isFine: Int32) {
    guard Handle.Part.allCases.indices.contains(Int(part)), dx.isFinite, dy.isFinite else { return }
    editor?.nudge(Handle(Handle.Part.allCases[Int(part)], of: Int(loupe)), dx: dx, dy: dy, isFine: isFine != 0)
    update()
}

/// Does what the document asks for that was written.
@_expose(wasm, "loupe_edit_do") @_cdecl("loupe_edit_do")
package func perform() -> Int32 {
    do {
        try editor?.perform(JSONReader(parsing: input))
        input = []
        update()
        return 0
    } catch {
        return fail(error.description)
    }
}

/// Makes a text for the script: 0 the editor's state, 1 the scene in JSON.
/// - Returns: how many bytes of UTF-8 it has.
@_expose(wasm, "loupe_edit_text") @_cdecl("loupe_edit_text")
package func text(_ kind: Int32) -> Int32 {
    guard let editor, let scene else { return 0 }
    answer = Array((kind == 0 ? editor.state(of: scene).line : editor.document(of: scene)).utf8)
    return Int32(answer.count)
}

/// The text that was made.
@_expose(wasm, "loupe_edit_answer") @_cdecl("loupe_edit_answer")
package func answerBytes() -> UnsafePointer<UInt8>? { answer.withUnsafeBufferPointer { $0.baseAddress } }
