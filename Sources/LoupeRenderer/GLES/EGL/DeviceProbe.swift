import LoupeSystem

/// Finds the device that a choice leads to.
package enum DeviceProbe {
    /// Tries every candidate of this machine, also those after the one that the choice takes.
    ///
    /// No context is current on this thread afterwards. Takes some tens of milliseconds for each candidate.
    package static func report(choice: DeviceChoice = .auto) -> DeviceReport {
        var table: DeviceTable
        do {
            table = try DeviceTable(for: choice)
        } catch {
            return DeviceReport(candidates: [], chosen: nil, reason: error.description)
        }
        // One at a time: each context is gone before the next candidate is opened.
        for index in table.rows.indices { _ = table.open(index) }
        let chosen = table.chosenIndices.first { index in
            if case .works = table.rows[index].outcome { true } else { false }
        }
        return DeviceReport(
            candidates: table.rows, chosen: chosen,
            reason: chosen == nil ? table.failure.description : reason(for: choice))
    }

    /// Opens the first candidate that works and that the choice allows, and tries no other.
    static func open(_ choice: DeviceChoice) throws(EGLError) -> OpenDevice {
        var table = try DeviceTable(for: choice)
        for index in table.chosenIndices {
            if let device = table.open(index) { return device }
        }
        throw table.failure
    }

    private static func reason(for choice: DeviceChoice) -> String {
        switch choice {
        case .auto: "it is the first candidate that works"
        case .cpu: "it is the first software renderer that works"
        case .index, .path: "it was asked for"
        }
    }
}

/// Every candidate of this machine, each of them tried, and the one that a choice takes.
package struct DeviceReport: Hashable, Sendable {
    /// In the order in which `auto` tries them; each one's `index` is its position here.
    package let candidates: [DeviceCandidate]
    /// The index of the candidate that the choice takes; nil when it has none that works.
    package let chosen: Int?
    /// Why that candidate, or why none, in one sentence.
    package let reason: String
}

/// One row of the table of devices: a candidate and the result of trying it.
public struct DeviceCandidate: Hashable, Sendable {
    /// The result of trying a candidate.
    public enum Outcome: Hashable, Sendable {
        /// It gave an OpenGL ES 3.0 context and drew a pixel correctly.
        case works(DeviceInfo)
        /// Why it can't be used.
        case failed(String)
        /// The choice does not include it, or an earlier candidate was taken.
        case untried
    }

    /// Its row in the table, from 0: the N of `--device N`.
    public let index: Int
    /// How its display is opened.
    let platform: DevicePlatform
    /// A short name for people, known before it is tried.
    public let name: String
    /// Its device file, where it has one.
    public let path: Path?
    /// The result of trying it.
    public internal(set) var outcome: Outcome
    /// Its GL_VERSION, where it failed because that is older than OpenGL ES 3.0.
    public internal(set) var oldVersion: String?
}

extension DeviceCandidate: CustomStringConvertible {
    /// The row as one line of text.
    public var description: String {
        switch outcome {
        case .works(let info): "\(index): \(name): works: \(info.renderer)"
        case .failed(let reason): "\(index): \(name): \(reason)"
        case .untried: "\(index): \(name): not tried"
        }
    }
}
