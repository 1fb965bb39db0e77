import LoupeBase
import LoupeScene

/// Reads the CSV file of a sensor logging app: a header with the names and units of the columns, then one sample of
/// the rotation rate a line. `RotationResampling` makes 60 samples a second of them, and removes a constant bias.
enum RotationLog {
    static func read(
        _ bytes: [UInt8], into builder: inout RecordingBuilder
    ) throws(DocumentError) -> DocumentError.Position {
        try LogTable.forEach(in: bytes, header: RotationLogHeader.init) { row, header throws(DocumentError) in
            var rates: [Double] = []
            for axis in header.axes {
                let rate = try row.number(axis) * header.radians
                guard RotationRate.range.contains(rate) else {
                    throw TraceDecoder.error(
                        "\(rate.jsonText) rad/s is out of range; allowed is -1000…1000", line: row.line)
                }
                rates.append(rate)
            }
            try builder.add(
                RotationRate(x: rates[0], y: rates[1], z: rates[2]), nanoseconds: row.nanoseconds(header.time),
                .text(line: row.line, column: 1))
        }
    }
}

/// The columns of a logging app's CSV that hold the time and the rotation rate, with their units.
///
/// Apps name them differently: `time,x,y,z`, `Time (s),Gyroscope x (rad/s),…`, `timestamp_ns,gyroX,…`,
/// `time,seconds_elapsed,z,y,x`. Other columns are ignored.
struct RotationLogHeader {
    let time: (column: Int, ticksPerSecond: Double)
    /// The indices of the columns with x, y and z.
    let axes: [Int]
    /// The number of radians in a unit of angle.
    let radians: Double

    private static let degreeNames: Set<String> = ["deg", "degree", "degrees", "dps", "°"]
    private static let axisPrefixes = [
        "", "gyro", "gyroscope", "gyrorotation", "rotation", "rotationrate", "motionrotationrate", "omega", "w",
    ]

    /// Reads the header line.
    /// - Throws: An error if a column is missing or occurs twice.
    init(_ titles: LogTitles, line: Int) throws(DocumentError) {
        let needed = "time,x,y,z"
        var axes: [Int] = []
        if titles.time(of: "gyro") == nil, titles.time(of: "motion") == nil {
            _ = try titles.only([], "the time", needed: needed, line: line)
        }
        for axis in ["x", "y", "z"] {
            axes.append(try titles.only(Self.columns(of: axis, titles.words), axis, needed: needed, line: line))
        }
        self.axes = axes
        let isMotion = titles.words[axes[2]].contains { $0.hasPrefix("motion") }
        time = titles.time(of: isMotion ? "motion" : "gyro") ?? (0, 1)
        let inDegrees = axes.contains { titles.words[$0].contains(where: Self.degreeNames.contains) }
        radians = inDegrees ? .pi / 180 : 1
    }

    private static func columns(of axis: String, _ names: [[String]]) -> [Int] {
        let columns = names.indices.filter { column in
            names[column].contains { word in axisPrefixes.contains { word == $0 + axis } }
        }
        // The log may also have columns of an accelerometer.
        let gyroscopes = columns.filter { column in
            names[column].contains { $0.hasPrefix("gyro") || $0.hasPrefix("rotation") }
        }
        // Core Motion's rate has no bias any more.
        let motions = columns.filter { column in names[column].contains { $0.hasPrefix("motion") } }
        return !motions.isEmpty ? motions : gyroscopes.isEmpty ? columns : gyroscopes
    }
}
