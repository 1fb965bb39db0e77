import Glibc

/// A GPU's device file, who may open it, and whether this user can.
public struct DeviceFile: Hashable, Sendable {
    public let path: String
    /// As `ls -l` writes them: `rw-rw----`.
    public let permissions: String
    /// Names, or numbers where they have none.
    public let owner: String
    public let group: String
    /// The system's `errno` when it was opened; 0 where it can be.
    let failure: Int32
    private let mode: mode_t

    /// Why this user can't open it, in the system's words; nil where it can be opened.
    public var reason: String? { failure == 0 ? nil : String(cString: strerror(failure)) }
    /// Whether the group may read and write, so that a member could.
    var isOpenToGroup: Bool { mode & 0o060 == 0o060 }
    /// Whether a renderer needs it; others only light screens up or compute.
    var isNeeded: Bool { isRenderNode || isNVIDIA }
    var isRenderNode: Bool { path.hasPrefix("/dev/dri/renderD") }
    /// Of a GPU, or the driver's own.
    var isNVIDIA: Bool {
        path == "/dev/nvidiactl"
            || (path.hasPrefix("/dev/nvidia") && path.dropFirst("/dev/nvidia".count).allSatisfy(\.isNumber))
    }

    private init?(_ path: String, on machine: Machine, users: [UInt32: String], groups: [UInt32: String]) {
        guard let status = machine.status(of: path), status.st_mode & S_IFMT != S_IFDIR else { return nil }
        self.path = path
        mode = status.st_mode
        permissions = Self.text(of: mode)
        owner = users[status.st_uid] ?? String(status.st_uid)
        group = groups[status.st_gid] ?? String(status.st_gid)
        failure = machine.openingFailure(path)
    }

    /// Every file of a GPU: `/dev/dri/card*`, `/dev/dri/renderD*` and `/dev/nvidia*`.
    static func all(on machine: Machine) -> [DeviceFile] {
        let nodes = machine.names(in: "/dev/dri").filter { $0.hasPrefix("card") || $0.hasPrefix("renderD") }
        let others = machine.names(in: "/dev").filter { $0.hasPrefix("nvidia") }
        let users = names(in: "/etc/passwd", on: machine)
        let groups = names(in: "/etc/group", on: machine)
        return (nodes.map { "/dev/dri/" + $0 } + others.map { "/dev/" + $0 }).compactMap {
            DeviceFile($0, on: machine, users: users, groups: groups)
        }
    }

    /// The names by their numbers, of lines like `render:x:105:`.
    private static func names(in file: String, on machine: Machine) -> [UInt32: String] {
        guard let bytes = try? machine.bytes(of: file) else { return [:] }
        var names: [UInt32: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count > 2, let number = UInt32(fields[2]) { names[number] = names[number] ?? String(fields[0]) }
        }
        return names
    }

    private static func text(of mode: mode_t) -> String {
        String((0..<9).map { mode & (0o400 >> $0) == 0 ? "-" : Array("rwx")[$0 % 3] })
    }
}
