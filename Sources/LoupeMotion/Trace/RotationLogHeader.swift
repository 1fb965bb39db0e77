/// Which columns of a logging app's CSV hold the time and the rotation rate, and in which units.
///
/// Apps name them freely: `time,x,y,z`, `Time (s),Gyroscope x (rad/s),…`, `timestamp_ns,gyroX,…`,
/// `time,seconds_elapsed,z,y,x`. Other columns are passed over.
struct RotationLogHeader {
    let time: Int
    /// x, y and z.
    let axes: [Int]
    let columnCount: Int
    let separator: UInt8
    /// Time's units in a second.
    let ticksPerSecond: Double
    /// Radians in a unit of angle.
    let radians: Double

    private static let timeUnits: [(names: Set<String>, ticksPerSecond: Double)] = [
        (["s", "sec", "secs", "second", "seconds"], 1),
        (["ms", "msec", "millis", "millisecond", "milliseconds"], 1e3),
        (["us", "µs", "micros", "microsecond", "microseconds"], 1e6),
        (["ns", "nanos", "nanosecond", "nanoseconds"], 1e9),
    ]
    private static let degreeNames: Set<String> = ["deg", "degree", "degrees", "dps", "°"]
    private static let axisPrefixes = ["", "gyro", "gyroscope", "rotation", "rotationrate", "omega", "w"]

    /// - Returns: nil, with `problem` set, where a column is missing or named twice.
    init?(_ line: ArraySlice<UInt8>, problem: inout String) {
        separator = ";\t".utf8.first { line.contains($0) } ?? UInt8(ascii: ",")
        let names = line.split(separator: separator, omittingEmptySubsequences: false).map(Self.words)
        columnCount = names.count
        guard let time = Self.timeColumn(names) else {
            problem = "the header has no column for the time; time,x,y,z is needed"
            return nil
        }
        self.time = time.column
        ticksPerSecond = time.ticksPerSecond
        var axes: [Int] = []
        for axis in ["x", "y", "z"] {
            let columns = Self.columns(of: axis, names)
            guard let column = columns.first, columns.count == 1 else {
                let count = columns.isEmpty ? "no column" : "\(columns.count) columns"
                problem = "the header has \(count) for \(axis); time,x,y,z is needed"
                return nil
            }
            axes.append(column)
        }
        self.axes = axes
        let inDegrees = axes.contains { names[$0].contains(where: Self.degreeNames.contains) }
        radians = inDegrees ? .pi / 180 : 1
    }

    /// A title's words in lower case: runs of letters, digits and °.
    private static func words(_ title: ArraySlice<UInt8>) -> [String] {
        String(decoding: title, as: UTF8.self).lowercased()
            .split { !($0.isLetter || $0.isNumber || $0 == "°") }.map(String.init)
    }

    /// A column that names its unit comes before one that does not, which is in seconds.
    private static func timeColumn(_ names: [[String]]) -> (column: Int, ticksPerSecond: Double)? {
        let columns = names.indices.filter { isTime(names[$0]) }
        for column in columns {
            if let unit = names[column].lazy.compactMap(ticksPerSecond).first { return (column, unit) }
        }
        return columns.first.map { ($0, 1) }
    }

    private static func isTime(_ words: [String]) -> Bool {
        guard let first = words.first else { return false }
        return first.hasPrefix("time") || first == "t" || first == "elapsed"
            || (words.contains("elapsed") && ticksPerSecond(first) != nil)
    }

    /// Of a unit's word, or of one such as `timestampns`.
    private static func ticksPerSecond(_ word: String) -> Double? {
        let stems = ["", "timestamp", "time"]
        return timeUnits.first { unit in
            stems.contains { word.hasPrefix($0) && unit.names.contains(String(word.dropFirst($0.count))) }
        }?.ticksPerSecond
    }

    private static func columns(of axis: String, _ names: [[String]]) -> [Int] {
        let columns = names.indices.filter { column in
            names[column].contains { word in axisPrefixes.contains { word == $0 + axis } }
        }
        // An accelerometer may have been logged beside the gyroscope.
        let gyroscopes = columns.filter { column in
            names[column].contains { $0.hasPrefix("gyro") || $0.hasPrefix("rotation") }
        }
        return gyroscopes.isEmpty ? columns : gyroscopes
    }
}
