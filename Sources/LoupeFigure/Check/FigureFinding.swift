/// Something in a figure that a journal would reject, or that may confuse readers.
package struct FigureFinding: Hashable, Sendable {
    /// The severity of a finding.
    package enum Severity: String, Hashable, Sendable, CaseIterable {
        /// Against a limit, or a reader can't see or understand the element.
        case error
        /// Worth a look.
        case warning
    }

    /// A rule that figures are checked against.
    package enum Rule: String, Hashable, Sendable, CaseIterable {
        /// Each loupe has a mark of its origin: a ring, a connector, or the same letter at the loupe and at its ring.
        case origin
        /// Scale bars are whole, and there is one in each loupe if there is one in the page.
        case scaleBar = "scale-bar"
        /// Lines are seen on what they lie on.
        case lineContrast = "line-contrast"
        /// Text can be read on what it lies on.
        case textContrast = "text-contrast"
        /// Readers with a colour-vision deficiency see lines.
        case colorVision = "color-vision"
        /// Lines are wide enough on paper.
        case lineWidth = "line-width"
        /// Text is large enough on paper.
        case textSize = "text-size"
        /// Pixels are small enough on paper.
        case resolution
        /// The fonts of a PDF are embedded.
        case fonts
        /// The file says what it shows to readers who can't see it.
        case alternativeText = "alternative-text"
    }

    /// A measured value.
    package struct Measure: Hashable, Sendable {
        /// As it is.
        package let value: Double
        /// The least that is allowed.
        package let limit: Double
        /// The unit of both, such as `pt`; empty for a ratio.
        package let unit: String

        /// A value, the least allowed one, and their unit.
        package init(_ value: Double, limit: Double, unit: String) {
            (self.value, self.limit, self.unit) = (value, limit, unit)
        }
    }

    /// How grave it is.
    package let severity: Severity
    /// What it is against.
    package let rule: Rule
    /// The part of the scene, as its document names it, such as `loupes[0].callout.ring`; `file` for all of the figure.
    package let element: String
    /// What is wrong, as a clause.
    package let problem: String
    /// What was measured; nil for what is there or is not.
    package let measure: Measure?
    /// What to do, as a clause.
    package let fix: String

    /// A finding about an element.
    package init(
        _ severity: Severity, _ rule: Rule, _ element: String, _ problem: String, measure: Measure? = nil, fix: String
    ) {
        (self.severity, self.rule, self.element) = (severity, rule, element)
        (self.problem, self.measure, self.fix) = (problem, measure, fix)
    }
}

/// The least that is asked of a figure at its size on paper.
package struct FigureLimits: Hashable, Sendable {
    /// The size of text, in points.
    package var textSize = 5.0
    /// The width of lines, in points.
    package var lineWidth = 0.25
    /// The resolution of pictures of pixels, in pixels an inch.
    package var resolution = 300.0

    /// Text of 5 points and 300 pixels an inch (Springer Nature, "Research figure guide", Preparing figures), and lines of
    /// 0.25 points, below which hairlines get lost in print.
    package init() {}

    /// A line stands out where it or its casing differs so much from what lies beside it, in OKLab's lightness or chroma. The
    /// default style keeps 0.2 to the page; a loupe's own shadow may take some of that away.
    static let lineContrast = 0.15
    /// The part of a line's length along which it has to stand out: a ring that crosses a few lines and dots of its own
    /// lightness is still seen as a ring.
    static let seenShare = 0.85
    /// The contrast of text, and of large text (Web Content Accessibility Guidelines 2.1, success criterion 1.4.3).
    static let textContrast = (text: 4.5, large: 3.0)
    /// From these sizes on text is large: regular and bold, in points (the same).
    static let largeText = (regular: 18.0, bold: 14.0)
    /// Below this distance in OKLab a reader with a colour-vision deficiency takes two colours for the same. The least
    /// noticeable distance is about 0.02; lines are thin, so it is five times as much.
    static let colorDistance = 0.1
}
