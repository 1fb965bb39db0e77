/// Names of files that text handling gets wrong: what Unicode takes for one character or for equal, bytes that are no
/// text, and what steers a terminal or a command line.
public enum HostileNames {
    /// Names, each of which is another file: no two have the same bytes, and none contains a slash or a 0.
    public static let all: [[UInt8]] = {
        var names: [[UInt8]] = texts.map { Array($0.utf8) } + noText
        var random = SplitMix64(seed: 19)
        let pieces = texts.map { Array($0.utf8) } + noText
        for _ in 0..<40 {
            let joined = (0..<3).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
            if joined.count < 200 { names.append(joined) }
        }
        var seen = Set<[UInt8]>()
        return names.filter { seen.insert($0).inserted && $0 != Array(".".utf8) && $0 != Array("..".utf8) }
    }()

    /// Those that are UTF-8, which documents can name.
    public static let inText: [String] = all.compactMap { String(validating: $0, as: UTF8.self) }

    private static let texts: [String] = {
        // Marks that combine with what is before them: with a slash, a dot, a letter, an equals sign.
        let marks = ["\u{301}", "\u{338}", "\u{20dd}", "\u{200d}", "\u{fe0f}", "\u{1f3fb}", "\u{e0061}", "\u{0903}"]
        let pairs = [
            ("\u{e9}", "e\u{301}"), ("\u{212b}", "\u{c5}"), ("\u{212a}", "K"), ("\u{ac00}", "\u{1100}\u{1161}"),
            ("\u{1e9b}\u{323}", "\u{17f}\u{323}\u{307}"), ("\u{37e}", ";"), ("\u{2126}", "\u{3a9}"),
        ]
        return marks.flatMap { ["\($0)s", "s\($0)", ".\($0)", "..\($0)", "\($0)..", "\u{301}\($0)"] }
            + pairs.flatMap { ["\($0.0)x", "\($0.1)x"] }
            + [
                "a", "A", "ss", "\u{df}", "-x", "--json", "=x", "a=b", "a b", "a\nb", "a\r\nb", "\r", "\u{1b}[2J",
                "\u{7f}",
                "%d", "~", "*", "?", "'", "\"", "\\", "\\xff", "\u{fffd}", "\u{10fe80}", "\u{10feff}", "\u{202e}gnp",
                "<img src=x onerror=alert(1)>", "&lt;", "]]>", "a\u{2028}b", "a\u{2029}b",
                "...", "..a", "a..", " ", "x ", String(repeating: "n", count: 200), "\u{1f468}\u{200d}\u{1f469}",
            ]
    }()

    /// Not UTF-8: lone bytes, a character cut short, a surrogate, and long forms of `/` and `.`.
    private static let noText: [[UInt8]] = [
        [0xff], [0x61, 0xff, 0x62], [0xfe, 0x2e], [0xc3], [0x78, 0xe2, 0x82], [0xed, 0xa0, 0x80], [0xc0, 0xaf],
        [0xc0, 0xae, 0xc0, 0xae], [0xf4, 0x90, 0x80, 0x80], [0x80, 0x80], [0x2e, 0xff],
    ]
}
