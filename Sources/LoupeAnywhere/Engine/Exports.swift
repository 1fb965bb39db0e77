import LoupeBase
import LoupeImaging
import LoupeScene

// What the Python package calls. Bytes go in through `loupe_reserve`; a request is JSON, and so is its answer. Pointers hold
// until the next call.

private nonisolated(unsafe) var input: [UInt8] = []
private nonisolated(unsafe) var answer: [UInt8] = []
/// What requests name by number: images and documents.
private nonisolated(unsafe) var images: [Int32: Image] = [:]
private nonisolated(unsafe) var documents: [Int32: [UInt8]] = [:]
private nonisolated(unsafe) var latest: Int32 = 0
/// The picture that was drawn last.
private nonisolated(unsafe) var picture: Image?

/// Room for bytes; the caller writes them there.
@_expose(wasm, "loupe_reserve") @_cdecl("loupe_reserve")
package func reserve(_ count: Int32) -> UnsafeMutableRawPointer? {
    input = [UInt8](repeating: 0, count: max(1, Int(count)))
    return input.withUnsafeMutableBytes { $0.baseAddress }
}

private func taken() -> [UInt8] {
    let bytes = input
    input = []
    return bytes
}

/// Keeps the bytes as an image in sRGB with straight alpha, of 8 bits.
/// - Returns: its number.
@_expose(wasm, "loupe_image") @_cdecl("loupe_image")
package func keepImage(_ width: Int32, _ height: Int32) -> Int32 {
    latest += 1
    images[latest] = Image(width: Int(width), height: Int(height), pixels: taken())
    return latest
}

/// Keeps the bytes, the inflated rows of a PNG of 16 bits a channel, as an image.
/// - Parameters:
///   - color: PNG's colour type.
///   - keepsDepth: 0 for an image of 8 bits.
/// - Returns: its number; 0 where they are no such rows.
@_expose(wasm, "loupe_rows") @_cdecl("loupe_rows")
package func keepRows(_ width: Int32, _ height: Int32, _ color: Int32, _ keepsDepth: Int32) -> Int32 {
    guard let image = Image(rows: taken(), width: Int(width), height: Int(height), color: Int(color)) else { return 0 }
    latest += 1
    images[latest] = keepsDepth == 0 ? image.flattened : image
    return latest
}

/// Keeps the bytes as a document.
/// - Returns: its number.
@_expose(wasm, "loupe_document") @_cdecl("loupe_document")
package func keepDocument() -> Int32 {
    latest += 1
    documents[latest] = taken()
    return latest
}

/// Forgets an image or a document.
@_expose(wasm, "loupe_forget") @_cdecl("loupe_forget")
package func forget(_ number: Int32) {
    images[number] = nil
    documents[number] = nil
}

/// Carries out the request in the bytes.
/// - Returns: how many bytes the answer has.
@_expose(wasm, "loupe_ask") @_cdecl("loupe_ask")
package func ask() -> Int32 {
    picture = nil
    var members: JSONValue
    do throws(Refusal) {
        (members, picture) = try Kept(images: images, documents: documents).answer(taken())
    } catch {
        members = error.json
    }
    answer = Array(members.line.utf8)
    return Int32(answer.count)
}

/// The answer.
@_expose(wasm, "loupe_answer") @_cdecl("loupe_answer")
package func answerBytes() -> UnsafePointer<UInt8>? { answer.withUnsafeBufferPointer { $0.baseAddress } }

/// The pixels of the picture that was drawn last: of 8 bits, or of 16 with the lower byte first.
@_expose(wasm, "loupe_pixels") @_cdecl("loupe_pixels")
package func pixels() -> UnsafeRawPointer? {
    guard let picture else { return nil }
    if let samples = picture.pixels16 { return samples.withUnsafeBytes { $0.baseAddress } }
    return picture.pixels.withUnsafeBytes { $0.baseAddress }
}

/// The refusal of a request.
struct Refusal: Error {
    /// The exit code of the command.
    var code = 65
    var sentence = ""
    /// The paths of images that are needed and were not given. The caller gives them and asks again.
    var needed: [String] = []

    init(_ code: Int, _ sentence: String) { (self.code, self.sentence) = (code, sentence) }
    init(needing path: ImagePath) { needed = [path.description] }

    var json: JSONValue {
        if !needed.isEmpty { return ["needs": .array(needed.map { .string($0) })] }
        return ["code": .number(Double(code)), "error": .string(sentence)]
    }
}
