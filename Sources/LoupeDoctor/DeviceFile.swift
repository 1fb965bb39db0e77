import Glibc
import LoupeFiles

/// A device file of a GPU, its permissions, and whether this user can open it.
public struct DeviceFile: Hashable, Sendable {
    /// The absolute path.
    public let path: Path
    /// As `ls -l` writes them: `rw-rw----`.
    public let permissions: String
    /// The owner's name, or number without a name.
    public let owner: String
    /// The group's name, or number without a name.
    public let group: String
    /// The system's `errno` of opening it; 0 if it opened.
    let failure: Int32
    private let mode: mode_t

    /// Why this user can't open it, in the system's words; nil if it opened.
    public var reason: String? { failure == 0 ? nil : String(cString: strerror(failure)) }
    /// Whether members of the group may read and write it.
    var isOpenToGroup: Bool { mode & 0o060 == 0o060 }
    /// Whether a renderer needs it. Other device files serve screens or computations only.
    var isNeeded: Bool { isRenderNode || isNVIDIA }
    /// Whether it is the kernel's file for drawing on a GPU without a screen.
    var isRenderNode: Bool { path.bytes.starts(with: "/dev/dri/renderD".utf8) }
    /// Whether it belongs to NVIDIA's driver: a GPU's file or `nvidiactl`.
    var isNVIDIA: Bool {
        let start = "/dev/nvidia".utf8
        return path == "/dev/nvidiactl"
            || (path.bytes.starts(with: start)
                && path.bytes.dropFirst(start.count).allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    }

    private init?(_ path: Path, on machine: Machine, users: [UInt32: String], groups: [UInt32: String]) {
        guard let status = machine.status(of: path), status.st_mode & S_IFMT != S_IFDIR else { return nil }
        self.path = path
        mode = status.st_mode
        permissions = Self.text(of: mode)
        owner = users[status.st_uid] ?? String(status.st_uid)
        group = groups[status.st_gid] ?? String(status.st_gid)
        failure = machine.openingFailure(path)
    }

    /// All device files of GPUs: `/dev/dri/card*`, `/dev/dri/renderD*` and `/dev/nvidia*`.
    static func all(on machine: Machine) -> [DeviceFile] {
        let nodes = machine.names(in: "/dev/dri").filter { name in
            name.bytes.starts(with: "card".utf8) || name.bytes.starts(with: "renderD".utf8)
        }
        let others = machine.names(in: "/dev").filter { $0.bytes.starts(with: "nvidia".utf8) }
        let users = names(in: "/etc/passwd", on: machine)
        let groups = names(in: "/etc/group", on: machine)
        return (nodes.map(("/dev/dri" as Path).child) + others.map(("/dev" as Path).child)).compactMap {
            DeviceFile($0, on: machine, users: users, groups: groups)
        }
    }

    /// Names by their numbers, from lines such as `render:x:105:`.
    private static func names(in file: Path, on machine: Machine) -> [UInt32: String] {
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
