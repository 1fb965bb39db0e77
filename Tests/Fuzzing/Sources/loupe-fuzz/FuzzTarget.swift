import Glibc

/// What is fed with made-up bytes. Inputs that were made for one lie in a folder of its name in `corpus`.
enum FuzzTarget: String, CaseIterable {
    case png, picture, scene, session, trace
    /// A deliberate bug.
    case mistake

    /// Of `--target=NAME`. libFuzzer passes over flags with two dashes, and hands them on to processes that it starts.
    static let chosen: FuzzTarget = {
        let flag = "--target="
        let names = CommandLine.arguments.compactMap { $0.hasPrefix(flag) ? String($0.dropFirst(flag.count)) : nil }
        guard let name = names.first, let target = FuzzTarget(rawValue: name) else {
            print("\(flag) needs one of \(allCases.map(\.rawValue).joined(separator: ", "))")
            exit(64)
        }
        return target
    }()

    func check(_ bytes: [UInt8]) {
        switch self {
        case .png: checkPNG(bytes)
        case .picture: checkPicture(bytes)
        case .scene: checkScene(bytes)
        case .session: checkSession(bytes)
        case .trace: checkTrace(bytes)
        case .mistake: makeMistake(bytes)
        }
    }
}
