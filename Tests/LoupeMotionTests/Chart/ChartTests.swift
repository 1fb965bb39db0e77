import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeMotion

/// What every chart looks like.
@Suite struct ChartTests {
    /// A session of each model: a tap on the transition's thumbnail, rotation, a flick, two touches that spread.
    private static let sessions: [Session] = {
        var script = TouchScript()
        script.tap(60, 340, at: 0.2)
        for step in 0..<60 { script.rotate(0.1, step < 30 ? 2 : -2, 0, at: 0.4 + Double(step) / 60) }
        script.drag(from: (160, 300), to: (110, 160), at: 1.6, for: 0.2)
        script.drag(from: (140, 240), to: (60, 250), at: 3, for: 0.4, rest: 0.5)
        script.drag(from: (180, 240), to: (280, 230), at: 3, for: 0.4, rest: 0.6)
        return SampleModels.all(script.trace).map {
            Session(model: $0, trace: script.trace, framesPerSecond: 60, duration: 6)
        }
    }()

    private static func svg(_ session: Session) -> String {
        MotionChart(session, source: "a <b> & c.json", range: 0...session.duration).svg
    }

    @Test func everyModelHasPositionsVelocitiesPhasesAndTouches() {
        for session in Self.sessions {
            let svg = Self.svg(session)
            #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
            for words in [", in points<", "velocity of the ", ">touch 1<", "a &lt;b&gt; &amp; c.json"] {
                #expect(svg.contains(words), "\(words)")
            }
            #expect(svg == Self.svg(session), "the same bytes")
        }
    }

    /// librsvg and other viewers know neither variables nor media queries.
    @Test func onlyPlainAttributesAreUsed() {
        for session in Self.sessions {
            let svg = Self.svg(session)
            for word in [
                "var(", "<style", "class=", "style=", "<script", "@media", "currentColor", "NaN", "nan", "inf",
            ] {
                #expect(!svg.contains(word), "\(word)")
            }
            let count = { (name: String) in svg.split(separator: "<\(name) ", omittingEmptySubsequences: false).count }
            #expect(count("line") > 10 && count("polyline") > 1)
        }
    }

    // MARK: - Text and lines

    private struct Element {
        let name: Substring
        let attributes: [Substring: Substring]
        let text: Substring

        func number(_ key: Substring) -> Double { attributes[key].flatMap { Double($0) } ?? .nan }
    }

    private static func elements(_ svg: String) -> [Element] {
        svg.split(separator: "\n").flatMap { line in
            line.split(separator: "<").map { part in
                let tag = part.prefix { $0 != ">" }
                var attributes: [Substring: Substring] = [:]
                let pieces = tag.split(separator: "\"", omittingEmptySubsequences: false)
                for index in stride(from: 0, to: pieces.count - 1, by: 2) {
                    let key = pieces[index].split(separator: " ").last?.dropLast() ?? ""
                    attributes[key] = pieces[index + 1]
                }
                return Element(
                    name: tag.prefix { $0 != " " }, attributes: attributes, text: part.dropFirst(tag.count + 1))
            }
        }
    }

    /// The box of a text in DejaVu Sans at the least, in which half an em is a narrow letter.
    private static func box(_ text: Element) -> (left: Double, right: Double, top: Double, bottom: Double) {
        let size = text.attributes["font-size"].flatMap { Double($0) } ?? 12
        let (x, y, width) = (text.number("x"), text.number("y"), Double(text.text.count) * size * 0.5)
        let left: Double =
            switch text.attributes["text-anchor"] {
            case "middle": x - width / 2
            case "end": x - width
            default: x
            }
        return (left, left + width, y - 0.6 * size, y)
    }

    @Test func noTextCrossesAMarkAnotherTextOrTheChartsEnd() {
        for svg in Self.sessions.map(Self.svg) {
            let elements = Self.elements(svg)
            let boxes = elements.filter { $0.name == "text" }.map { (text: $0.text, box: Self.box($0)) }
            let lines = elements.filter { $0.name == "line" && $0.attributes["stroke-opacity"] != nil }
            #expect(boxes.count > 10)
            for (text, box) in boxes {
                #expect(box.left >= 0 && box.right <= 960, "\(text)")
                for line in lines where line.number("y1") < box.bottom && line.number("y2") > box.top {
                    #expect(line.number("x1") <= box.left || line.number("x1") >= box.right, "\(text)")
                }
            }
            for (index, (text, box)) in boxes.enumerated() {
                for (other, otherBox) in boxes[..<index]
                where box.left < otherBox.right && otherBox.left < box.right && box.top < otherBox.bottom
                    && otherBox.top < box.bottom
                {
                    Issue.record("\(text) lies over \(other)")
                }
            }
        }
    }

    @Test(arguments: [
        (0.0...6.0, 10, true, ["0", "1", "2", "3", "4", "5", "6"]),
        (-2210...908, 5, true, ["-3000", "-2000", "-1000", "0", "1000"]),
        (0.02...0.11, 4, true, ["0", "0.05", "0.1", "0.15"]),
        (1.3...2.1, 10, false, ["1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9", "2", "2.1"]),
    ])
    func ticksAreRound(range: ClosedRange<Double>, count: Int, isWidened: Bool, labels: [String]) {
        #expect(Chart.ticks(range, atMost: count, isWidened: isWidened).map(Chart.label) == labels)
    }

    @Test func decisionsOfEachModelAreMarked() {
        let texts = Self.sessions.map { session in session.model.measures.decisions.map(\.text).joined(separator: "; ")
        }
        #expect(texts[1].contains("released: ") && texts[1].contains("comes to rest at "))
        #expect(texts[4].contains("the natural target is "))
        for (session, text) in zip(Self.sessions, texts) where !text.isEmpty {
            let svg = Self.svg(session)
            let first = session.model.measures.decisions.first { $0.time <= 6 }
            #expect(first == nil || svg.contains(">1: \(first?.time.thousandths ?? "") s, "))
        }
    }
}
