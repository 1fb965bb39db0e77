import ArgumentParser
import Glibc
import LoupeCompare
import LoupeSystem

/// The known properties of the terminals that the standard streams lead to.
enum Terminal {
    static func isTerminal(_ stream: Int32) -> Bool { isatty(stream) == 1 }

    /// Whether the terminal knows no control sequences, such as Emacs' shell.
    static var isDumb: Bool { variable("TERM") == "dumb" }

    /// A variable of the environment; empty where it is not set.
    fileprivate static func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }

    /// The width in columns; 80 where it is unknown.
    static func columns(of stream: Int32) -> Int {
        var size = winsize()
        guard ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

/// The choice of whether lines for a person have colours and marks.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
}

/// The option for the look of lines for a person.
struct ColorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Colours and the marks ✓ and ✗: auto has them on a terminal, without colours where NO_COLOR is set; always; never.",
            valueName: "auto|always|never"))
    var color = ColorChoice.auto

    /// The style of what is written to standard output.
    var style: TerminalStyle {
        let isTerminal = Terminal.isTerminal(STDOUT_FILENO)
        switch color {
        case .always: return TerminalStyle(hasMarks: true, hasColors: true)
        case .never: return TerminalStyle(hasMarks: false, hasColors: false)
        case .auto:
            return TerminalStyle(hasMarks: isTerminal, hasColors: isTerminal && !Self.refusesColors)
        }
    }

    /// `NO_COLOR` as no-color.org defines it, and terminals without colours.
    private static var refusesColors: Bool { !Terminal.variable("NO_COLOR").isEmpty || Terminal.isDumb }
}

/// Marks and colours of lines for a person.
struct TerminalStyle {
    let hasMarks: Bool
    let hasColors: Bool

    /// The colours by what they mean.
    enum Meaning: String {
        case good = "32"
        case bad = "31"
        case open = "33"
        case faint = "2"
        case strong = "1"
    }

    func colored(_ text: String, _ meaning: Meaning) -> String {
        hasColors ? "\u{1b}[\(meaning.rawValue)m\(text)\u{1b}[0m" : text
    }

    /// A word for a result, after its mark.
    func result(_ word: String, _ meaning: Meaning, mark: String) -> String {
        colored(hasMarks ? "\(mark) \(word)" : word, meaning)
    }

    /// What is right or wrong, after `✓` or `✗`.
    func result(_ word: String, isGood: Bool) -> String {
        result(word, isGood ? .good : .bad, mark: isGood ? "✓" : "✗")
    }

    /// How a case of `verify` ended, in a column.
    func state(_ state: CaseResult.State) -> String {
        let word = state.rawValue.padded(to: 7)
        return switch state {
        case .passed: result(word, .good, mark: "✓")
        case .failed, .broken: result(word, .bad, mark: "✗")
        case .gone: result(word, .bad, mark: "−")
        case .missing, .written: result(word, .open, mark: state == .missing ? "?" : "✎")
        }
    }
}

extension String {
    /// At most so many characters: a longer text loses those in its middle to an ellipsis.
    func shortened(to count: Int) -> String {
        guard self.count > count else { return self }
        return "\(prefix((count - 1) / 2))…\(suffix(count / 2))"
    }

    /// The words in lines of at most so many characters; a longer word has a line of its own.
    func wrapped(to count: Int) -> [String] {
        split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last, last.count + 1 + word.count <= count {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }

    /// With spaces after it, to be so many characters long at least.
    func padded(to count: Int) -> String { self + String(repeating: " ", count: max(0, count - self.count)) }
}
