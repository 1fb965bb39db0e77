/// The WebAssembly modules of live pages, deflated, in `Base85`.
///
/// `tools/build-web` writes them into Sources/LoupeReport/Generated, as an extension of `LiveModule` with the function
/// `text(_:)`. Where that was not done, the default below counts: the command has no module, and says so.
package enum LiveModule: LiveModuleTexts {
    /// The purpose of a page.
    package enum Name {
        /// A scene in the reader's hand.
        case reader
        /// Sessions of motion.
        case sessions
    }

    /// Whether `tools/build-web` was run before the command was built.
    package static var isBuilt: Bool { text(.reader) != nil }
}

/// Gives `LiveModule` a function that a generated file may replace.
protocol LiveModuleTexts {
    /// Nil where the modules were not built, and where they were built by another version of `tools/build-web`.
    static func text(_ name: LiveModule.Name) -> StaticString?
}

extension LiveModuleTexts {
    /// No module.
    static func text(_ name: LiveModule.Name) -> StaticString? { nil }
}

/// Bytes as text for a page: five characters for four bytes, as in Ascii85, of an alphabet without characters of markup.
enum Base85 {
    /// The printable characters of ASCII in their order, without space, quotes, `&`, `<` and the backslash; the first 85.
    static let alphabet: [UInt8] = Array(
        (33...126 as ClosedRange<UInt8>).filter { ![34, 38, 39, 60, 92].contains($0) }.prefix(85))

    /// The text of some bytes: how many zeros fill up the last four, then the characters.
    static func encode(_ bytes: [UInt8]) -> String {
        let groups = (bytes.count + 3) / 4
        return String(unsafeUninitializedCapacity: 1 + groups * 5) { text in
            text[0] = UInt8(ascii: "0") + UInt8(groups * 4 - bytes.count)
            for group in 0..<groups {
                var value: UInt32 = 0
                for index in group * 4..<group * 4 + 4 {
                    value = value << 8 | (index < bytes.count ? UInt32(bytes[index]) : 0)
                }
                for position in stride(from: 5, through: 1, by: -1) {
                    text[group * 5 + position] = alphabet[Int(value % 85)]
                    value /= 85
                }
            }
            return 1 + groups * 5
        }
    }
}
