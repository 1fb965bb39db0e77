import LoupeBase
import LoupeMotion
import LoupeScene
import LoupeWebRenderer

// What the page's script calls. Positions are in canvas pixels of the scene, times in seconds. Functions that can fail
// return -1, and `loupe_message` then says why. Pointers hold until the next call.

nonisolated(unsafe) var figure: LiveFigure?
nonisolated(unsafe) var input: [UInt8] = []
nonisolated(unsafe) var message: [UInt8] = []
private nonisolated(unsafe) var numbers = [Double](repeating: 0, count: 7)

func fail(_ text: String) -> Int32 {
    message = Array(text.utf8)
    return -1
}

/// Room for the document; the script writes it there.
@_expose(wasm, "loupe_reserve") @_cdecl("loupe_reserve")
package func reserve(_ count: Int32) -> UnsafeMutableRawPointer? {
    input = [UInt8](repeating: 0, count: max(1, Int(count)))
    return input.withUnsafeMutableBytes { $0.baseAddress }
}

/// Reads the document that was written.
@_expose(wasm, "loupe_open") @_cdecl("loupe_open")
package func open() -> Int32 {
    do {
        figure = try LiveFigure(parsing: input)
        input = []
        return 0
    } catch {
        return fail(error.description)
    }
}

/// The last error, or the text that was asked for, as UTF-8.
@_expose(wasm, "loupe_message") @_cdecl("loupe_message")
package func messageBytes() -> UnsafePointer<UInt8>? { message.withUnsafeBufferPointer { $0.baseAddress } }

/// How many bytes that has.
@_expose(wasm, "loupe_message_count") @_cdecl("loupe_message_count")
package func messageCount() -> Int32 { Int32(message.count) }

/// Begins on a new WebGL2 context: the largest side of textures and viewports, and which extensions it has.
@_expose(wasm, "loupe_context") @_cdecl("loupe_context")
package func begin(_ side: Int32, _ floats: Int32, _ halfFloats: Int32, _ floatBlend: Int32) {
    figure?.use(
        WebDevice(
            WebDevice.Features(
                largestSide: Int(side), hasFloats: floats != 0, hasHalfFloats: halfFloats != 0,
                blendsFloats: floatBlend != 0)))
}

/// The size to which the browser has decoded a picture.
@_expose(wasm, "loupe_picture") @_cdecl("loupe_picture")
package func picture(_ index: Int32, _ width: Int32, _ height: Int32) {
    figure?.setSize(ImageSize(width: Int(width), height: Int(height)), ofPicture: Int(index))
}

/// How many pixels of the device a canvas pixel has.
@_expose(wasm, "loupe_scale") @_cdecl("loupe_scale")
package func scale(_ scale: Double) { figure?.setScale(scale) }

/// Records a frame.
/// - Returns: how many words its stream has.
@_expose(wasm, "loupe_draw") @_cdecl("loupe_draw")
package func draw() -> Int32 {
    // What was deleted since the last frame is in the stream already.
    do {
        try figure?.draw()
    } catch {
        guard case .tooLarge(let width, let height, let limit) = error else { return fail("the frame can't be drawn") }
        return fail("\(width)×\(height) is over this device's limit of \(limit)×\(limit)")
    }
    return Int32(figure?.device?.stream.words.count ?? 0)
}

/// The words of the recorded frame.
@_expose(wasm, "loupe_stream") @_cdecl("loupe_stream")
package func stream() -> UnsafePointer<UInt32>? {
    figure?.device?.stream.words.withUnsafeBufferPointer { $0.baseAddress }
}

/// The script has carried out the recorded frame.
@_expose(wasm, "loupe_drawn") @_cdecl("loupe_drawn")
package func drawn() { figure?.device?.stream.removeAll() }

/// A finger, or the mouse with its button down: phase 0 began, 1 moved, 2 ended, 3 cancelled.
@_expose(wasm, "loupe_touch") @_cdecl("loupe_touch")
package func touch(_ id: Int32, _ phase: Int32, _ x: Double, _ y: Double, _ time: Double) {
    if let touch = Touch(id, phase, x, y), time.isFinite { figure?.gestures.handle(touch, at: time) }
}

extension Touch {
    /// Nil for numbers that mean no touch.
    init?(_ id: Int32, _ phase: Int32, _ x: Double, _ y: Double) {
        let phases: [Touch.Phase] = [.began, .moved, .ended, .cancelled]
        guard phases.indices.contains(Int(phase)), x.isFinite, y.isFinite else { return nil }
        self.init(id: Int(id), phase: phases[Int(phase)], position: Point(x: x, y: y))
    }
}

/// The mouse without a button.
@_expose(wasm, "loupe_hover") @_cdecl("loupe_hover")
package func hover(_ x: Double, _ y: Double) {
    if x.isFinite, y.isFinite { figure?.gestures.hover(at: Point(x: x, y: y)) }
}

/// How far the loupe lies from the finger that moves it, in canvas pixels; 0 for the mouse.
@_expose(wasm, "loupe_finger_gap") @_cdecl("loupe_finger_gap")
package func fingerGap(_ gap: Double) { if gap.isFinite { figure?.gestures.fingerGap = gap } }

/// Whether a position lies on the loupe that is shown, as 1 or 0.
@_expose(wasm, "loupe_holds") @_cdecl("loupe_holds")
package func holds(_ x: Double, _ y: Double) -> Int32 {
    x.isFinite && y.isFinite && figure?.gestures.holds(Point(x: x, y: y)) == true ? 1 : 0
}

/// The mouse has left the figure.
@_expose(wasm, "loupe_leave") @_cdecl("loupe_leave")
package func leave() { figure?.gestures.leave() }

/// Multiplies the zoom.
@_expose(wasm, "loupe_zoom") @_cdecl("loupe_zoom")
package func zoom(_ factor: Double) { figure?.gestures.zoom(by: factor) }

/// Moves what the loupe shows.
@_expose(wasm, "loupe_step") @_cdecl("loupe_step")
package func step(_ dx: Double, _ dy: Double) {
    if dx.isFinite, dy.isFinite { figure?.gestures.step(by: Vector(dx: dx, dy: dy)) }
}

/// Puts the loupe away.
@_expose(wasm, "loupe_put_away") @_cdecl("loupe_put_away")
package func putAway() { figure?.gestures.putAway() }

/// The loupe's state as seven numbers: 1 where it is shown, centre x and y, focus x and y, radius, zoom.
@_expose(wasm, "loupe_state") @_cdecl("loupe_state")
package func state() -> UnsafePointer<Double>? {
    if let gestures = figure?.gestures {
        let loupe = gestures.loupe
        numbers = [
            gestures.isOpen ? 1 : 0, loupe.center.x, loupe.center.y, loupe.focus.x, loupe.focus.y, loupe.radius,
            loupe.zoom,
        ]
    }
    return numbers.withUnsafeBufferPointer { $0.baseAddress }
}
