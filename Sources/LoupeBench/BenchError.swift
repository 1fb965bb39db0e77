import LoupeGeometry
import LoupeRenderer

/// Why a benchmark could not be run or compared.
public enum BenchError: Error, CustomStringConvertible {
    case render(RenderError)
    case alwaysDisjoint(ClockKind, attempts: Int)
    case debugBuild
    /// No case is left of those that were asked for.
    case nothingToRun(String)
    case noRoom(Setting, canvas: ImageSize?)
    case otherDevice(base: String, here: String)
    case unreadableBase(String)

    public var description: String {
        switch self {
        case .render(let error): error.description
        case .alwaysDisjoint(let clock, let attempts):
            "the device's \(clock.rawValue) was disjoint \(attempts) times in a row; leave the device alone while it is timed"
        case .debugBuild:
            "a debug build says nothing about speed; build with `swift build -c release`"
        case .nothingToRun(let pattern): "--only \(pattern): no case has such a name"
        case .noRoom(let setting, let canvas):
            "\(setting.name): \(canvas.map { "a canvas of \($0.width)×\($0.height)" } ?? "the page") is too small for "
                + "this loupe in the page's middle and beside the page"
        case .otherDevice(let base, let here):
            "the saved run is of \(base), but this is \(here); only runs of one device and driver compare"
        case .unreadableBase(let reason): "the saved run can't be read: \(reason)"
        }
    }
}
