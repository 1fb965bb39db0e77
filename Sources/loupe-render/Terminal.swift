import ArgumentParser
import Glibc
import LoupeCompare
import LoupeSystem

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

extension TerminalStyle {
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
