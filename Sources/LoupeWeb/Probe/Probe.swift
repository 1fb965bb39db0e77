import LoupeBase
import LoupeMotion
import LoupePlan
import LoupeScene

// What `tools/build-web --probe` makes a module of, for tests: the numbers of plans and gestures in WebAssembly, to be
// compared with those of the command's machine code. See PlanNumbers.swift of the tests of the renderer.

private nonisolated(unsafe) var input: [UInt8] = []
private nonisolated(unsafe) var images: [ImagePath: ImageTraits] = [:]
private nonisolated(unsafe) var list = NumberList()

/// Room for text; the script writes it there.
@_expose(wasm, "probe_reserve") @_cdecl("probe_reserve")
package func reserve(_ count: Int32) -> UnsafeMutableRawPointer? {
    input = [UInt8](repeating: 0, count: max(1, Int(count)))
    return input.withUnsafeMutableBytes { $0.baseAddress }
}

/// An image whose path was written.
@_expose(wasm, "probe_image") @_cdecl("probe_image")
package func addImage(_ width: Int32, _ height: Int32, _ isOpaque: Int32) {
    let size = ImageSize(width: Int(width), height: Int(height))
    images[ImagePath(String(decoding: input, as: UTF8.self))] = ImageTraits(size: size, isOpaque: isOpaque != 0)
}

/// The plan of the scene that was written.
/// - Returns: how many numbers it has; -1 where the scene can't be read.
@_expose(wasm, "probe_scene") @_cdecl("probe_scene")
package func readScene() -> Int32 {
    do {
        let known = images
        let scene = try SceneDecoder { path throws(SceneDecodingError) in
            known[path]?.size ?? ImageSize(width: 1, height: 1)
        }.decode(input)
        list = NumberList(DrawPlan(scene, images: images))
        return Int32(list.values.count)
    } catch {
        return -1
    }
}

/// The gestures of the trace that was written.
/// - Returns: how many numbers they have; -1 where the trace can't be read.
@_expose(wasm, "probe_trace") @_cdecl("probe_trace")
package func readTrace() -> Int32 {
    guard let trace = try? TraceDecoder.decode(input) else { return -1 }
    list = NumberList(trace)
    return Int32(list.values.count)
}

/// The upper half of the hash of the numbers.
@_expose(wasm, "probe_high") @_cdecl("probe_high")
package func high() -> UInt32 { UInt32(list.hash >> 32) }

/// The lower half.
@_expose(wasm, "probe_low") @_cdecl("probe_low")
package func low() -> UInt32 { UInt32(truncatingIfNeeded: list.hash) }

/// The numbers.
@_expose(wasm, "probe_numbers") @_cdecl("probe_numbers")
package func numbers() -> UnsafePointer<Double>? { list.values.withUnsafeBufferPointer { $0.baseAddress } }
