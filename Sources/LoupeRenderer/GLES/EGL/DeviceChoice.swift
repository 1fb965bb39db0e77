import LoupeSystem

/// The device on which a ``Context`` is made.
///
/// `auto` falls back from one candidate to the next; an explicit choice is final.
public enum DeviceChoice: Hashable, Sendable {
    /// The first candidate that works, hardware before software.
    case auto
    /// The first software renderer that works.
    case cpu
    /// The candidate of this number, from 0, in the table that ``DeviceProbe/report(choice:)`` gives.
    case index(Int)
    /// The device of this file, such as `/dev/dri/renderD128`, or of the file that this links to.
    case path(Path)

    /// Reads `auto`, `cpu`, a number from 0, or a path under `/dev/dri/`; nil for anything else.
    public init?(argument: String) {
        switch argument {
        case "auto": self = .auto
        case "cpu": self = .cpu
        case _ where argument.utf8.starts(with: "/dev/dri/".utf8): self = .path(Path(argument))
        default:
            guard argument.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
                let index = Int(argument)
            else { return nil }
            self = .index(index)
        }
    }
}

extension DeviceChoice: CustomStringConvertible {
    /// The argument that ``init(argument:)`` reads as this choice.
    public var description: String {
        switch self {
        case .auto: "auto"
        case .cpu: "cpu"
        case .index(let index): String(index)
        case .path(let path): path.description
        }
    }
}
