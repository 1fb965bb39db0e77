import ArgumentParser
import LoupeBase
import LoupeScene
import LoupeSystem

/// The arguments of the command as ArgumentParser can pass them on without a change.
///
/// Arguments are bytes, and ArgumentParser takes texts, in which bytes that are not UTF-8 get lost and a combining mark
/// hides the `=` before it. So each byte over 0x7f is passed as a scalar of its own, U+10FE00 plus the byte, from the
/// last private-use plane. Options that take a path or a text get the bytes back.
enum Arguments {
    /// The scalar that stands for the byte 0.
    private static let start: UInt32 = 0x10_fe00

    /// All arguments of this process after its name, escaped.
    static var ofProcess: [String] {
        ProcessArguments.all.map { escaped(Path(cString: $0).bytes) }
    }

    /// The text that stands for an argument.
    static func escaped(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            let scalar = byte < 0x80 ? UnicodeScalar(byte) : UnicodeScalar(start + UInt32(byte))
            text.unicodeScalars.append(scalar ?? UnicodeScalar(byte))
        }
        return text
    }

    /// The bytes for which a text stands.
    static func bytes(of escaped: String) -> [UInt8] {
        escaped.unicodeScalars.flatMap { scalar -> [UInt8] in
            let isEscape = start + 0x80...start + 0xff ~= scalar.value
            return isEscape ? [UInt8(scalar.value - start)] : Array(UTF8.encode(scalar)!)
        }
    }

    /// A message of ArgumentParser, which quotes escaped arguments, for a person.
    static func readable(_ message: String) -> String { String(readable: bytes(of: message)) }
}

/// A file or folder that a command reads; `-` is standard input where the option says so.
struct InputPath: ExpressibleByArgument {
    let path: Path

    init(argument: String) { path = Path(bytes: Arguments.bytes(of: argument)) }

    static var defaultCompletionKind: CompletionKind { .file() }
}

extension InputPath {
    /// What a function makes of a document in JSON.
    /// - Throws: `Failure`, 65, which names the file, for what is wrong with the document.
    func document<Value>(_ read: ([UInt8]) throws -> Value) throws -> Value {
        do {
            return try read(InputBytes.read(path: path, as: .json))
        } catch let error as DocumentError {
            throw Failure(.badInput, "\(path): \(error.description)")
        }
    }
}

/// A file that a command writes; `-` is standard output.
struct OutputPath: ExpressibleByArgument {
    let path: Path

    init(argument: String) { path = Path(bytes: Arguments.bytes(of: argument)) }

    static var defaultCompletionKind: CompletionKind { .file() }

    var defaultValueDescription: String { path.description }

    /// Whether it is standard output.
    var isStandardOutput: Bool { path.isDash }
}

extension String? {
    /// - Throws: `Failure`, 64, where there is a sentence.
    func refuse() throws {
        if let self { throw Failure(.usage, self) }
    }
}

extension OutputPath? {
    /// Whether it is given, and is standard output.
    var isStandardOutput: Bool { self?.isStandardOutput ?? false }
}

/// Names in JSON and XML, which are UTF-8.
enum TextNames {
    /// - Parameter output: the option that is to write them, or what.
    /// - Throws: `Failure`, 65, for the first name that is not UTF-8.
    static func check(_ paths: [Path], in output: String) throws {
        guard let path = paths.first(where: { $0.text == nil }) else { return }
        throw Failure(
            .badInput, "\(path): \(output) can't name it: a name there is UTF-8, and this one is not; rename it")
    }
}
