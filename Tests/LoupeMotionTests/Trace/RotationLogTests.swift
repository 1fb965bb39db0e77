import Testing

@testable import LoupeMotion

@Suite struct RotationLogTests {
    private static let noLog = "line 1, column 1: the text is neither JSON events nor a sensor log: "

    private func sentence(_ text: String) -> String {
        do {
            return "read as \(try TraceDecoder.decode(Array(text.utf8)).events)"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        "time,x,y,z\n0.5,1,2,3\n1.25,-4,5,6",
        "time (s),x,y,z\n0.5,1,2,3\n1.25,-4,5,6\n",
        "\u{FEFF}time_ms;x;y;z\r\n500;1;2;3\r\n1250;-4;5;6\r\n",
        "timestampNs,gyroX,gyroY,gyroZ,accuracy\n500000000,1,2,3,high\n1250000000,-4,5,6,high",
        "\"Time (s)\",\"Gyroscope x (rad/s)\",\"Gyroscope y (rad/s)\",\"Gyroscope z (rad/s)\",\"Absolute (rad/s)\"\n"
            + "5.0E-1,1.0,2.0,3.0,9\n1.25,-4,5,6,9",
        "time,seconds_elapsed,z,y,x\n1700000000000000000,0.5,3,2,1\n1700000000750000000,1.25,6,5,-4",
        "time,acc x,acc y,acc z,gyro x,gyro y,gyro z\n0.5,9,9,9,1,2,3\n1.25,9,9,9,-4,5,6",
    ])
    func readsTheWaysOfLoggingApps(text: String) throws {
        let events = try TraceDecoder.decode(Array(text.utf8)).events
        #expect(
            events == [
                Trace.Event(time: 0.5, .rotation(RotationRate(x: 1, y: 2, z: 3))),
                Trace.Event(time: 1.25, .rotation(RotationRate(x: -4, y: 5, z: 6))),
            ])
    }

    @Test func absoluteClocksCountFromTheFirstSampleToTheNanosecond() throws {
        let text = "time (ns),x,y,z\n1700000000000000001,0,0,0\n1700000000010000004,0,0,0"
        let events = try TraceDecoder.decode(Array(text.utf8)).events
        #expect(events.map(\.time) == [0, 0.010000003])
    }

    @Test func degreesBecomeRadians() throws {
        let text = "time,x (°/s),y (°/s),z (°/s)\n0,180,0,-90"
        let events = try TraceDecoder.decode(Array(text.utf8)).events
        #expect(events == [Trace.Event(time: 0, .rotation(RotationRate(x: .pi, y: 0, z: -.pi / 2)))])
    }

    @Test(arguments: [
        (
            "hello",
            "\(Self.noLog)the header has no column for the time; the columns time,x,y,z are needed"
        ),
        (
            "time,x,z\n",
            "\(Self.noLog)the header has no column for y; the columns time,x,y,z are needed"
        ),
        (
            "time,x,y,z,x\n",
            "\(Self.noLog)the header has 2 columns for x; the columns time,x,y,z are needed"
        ),
        ("time,x,y,z\n0,1,2\n", "line 2, column 1: the line has 3 values; the header has 4 columns"),
        ("time,x,y,z\n0,1,2,3\n\n1,nan,2,3", "line 4, column 1: \"nan\" is not a number; a finite number is needed"),
        ("time,x,y,z\n0,1,0x1,3", "line 2, column 1: \"0x1\" is not a number; a finite number is needed"),
        ("time,x,y,z\n0,1,1e999,3", "line 2, column 1: \"1e999\" is not a number; a finite number is needed"),
        ("time,x,y,z\n0,1,,3", "line 2, column 1: \"\" is not a number; a finite number is needed"),
        ("time,x,y,z\n-1,1,2,3", "line 2, column 1: the time of -1 s is out of range; allowed is 0…86400"),
        (
            "time,x,y,z\n2,1,2,3\n1,1,2,3",
            "line 3, column 1: the event is at 1 s, before the previous event at 2 s; events must be in the order of time"
        ),
    ])
    func refusesWithTheLine(text: String, expected: String) {
        #expect(sentence(text) == expected)
    }
}
