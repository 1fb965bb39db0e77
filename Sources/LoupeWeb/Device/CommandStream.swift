/// The commands of one frame, for `live-gl.js`, which carries them out with WebGL2.
///
/// A stream is a sequence of 32-bit words. A command is its number, then its operands: integers, floats by their bits, or
/// data, which is a count of bytes and then the bytes, padded to whole words. `Command` lists the operands of each.
package struct CommandStream {
    /// The words so far.
    package private(set) var words: [UInt32] = []

    /// Begins the next frame; the memory is kept.
    package mutating func removeAll() { words.removeAll(keepingCapacity: true) }

    mutating func append(_ command: Command, _ operands: Int...) {
        words.append(command.rawValue)
        for operand in operands { append(operand) }
    }

    mutating func append(_ value: Int) { words.append(UInt32(bitPattern: Int32(truncatingIfNeeded: value))) }
    mutating func append(_ value: Float) { words.append(value.bitPattern) }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        append(bytes.count)
        let start = words.count
        words.append(contentsOf: repeatElement(0, count: (bytes.count + 3) / 4))
        words.withUnsafeMutableBytes { words in
            guard !bytes.isEmpty, let target = words.baseAddress, let source = bytes.baseAddress else { return }
            (target + start * 4).copyMemory(from: source, byteCount: bytes.count)
        }
    }

    mutating func append<Value>(_ values: [Value]) {
        values.withUnsafeBufferPointer { append(UnsafeRawBufferPointer($0)) }
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }
}

/// A command of the stream, with what it does and its operands. Objects are named by numbers from 1 on.
enum Command: UInt32 {
    /// Makes a texture: texture, format, width, height.
    case makeTexture = 1
    /// Deletes a texture: texture.
    case deleteTexture
    /// Fills a block of a texture: texture, x, y, width, height, data.
    case uploadTexture
    /// Fills a texture with one of the page's pictures: texture, index of the picture.
    case uploadPicture
    /// Makes a target: target, texture.
    case makeTarget
    /// Deletes a target: target.
    case deleteTarget
    /// Copies a block: from a target, to a target, x, y, width, height there, then how far right and down it lies.
    case copyBlock
    /// Compiles a program: program, its name, vertex shader, fragment shader and the names of all uniforms, as data.
    case makeProgram
    /// Deletes a program: program.
    case deleteProgram
    /// Draws triangles: target, program, blending (0 replace, 1 over, 2 erase, 3 add), a count of uniforms, each of them, the
    /// corners as data. A uniform is its index among all names, its kind, a count of values and the values: kind 0 integers,
    /// 1 floats, 2 floats of an array of vectors, 3 a texture. A program may lack it.
    case draw
    /// Shows a target: target.
    case present
}
