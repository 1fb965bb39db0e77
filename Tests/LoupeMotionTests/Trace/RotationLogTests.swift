import TestSupport
import Testing

@testable import LoupeMotion

@Suite struct RotationLogTests {
    private static let noLog = "line 1, column 1: "

    private func sentence(_ text: String) -> String {
        complaint { try TraceDecoder.decode(Array(text.utf8)).events }
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
        #expect(events.first == Trace.Event(time: 0.5, .rotation(RotationRate(x: 1, y: 2, z: 3))))
        #expect(events.count == 46)
    }

    private func rates(_ text: String) throws -> [(time: Double, rate: RotationRate)] {
        try TraceDecoder.decode(Array(text.utf8)).events.compactMap { event in
            if case .rotation(let rate) = event.content { (event.time, rate) } else { nil }
        }
    }

    /// A log of a turn by 0.2 rad in half a second after a second of rest, with a bias.
    private func log(rate: Double, bias: Double) -> String {
        (0...Int(3 * rate)).reduce("time,x,y,z\n") { text, step in
            let time = Double(step) / rate
            return text + "\(time),0,\(bias + (time >= 1.5 && time < 2 ? 0.4 : 0)),0\n"
        }
    }

    @Test(arguments: [30.0, 60, 100, 200], [0, 0.005]) func sameTurnIsTheSameAtEachRate(rate: Double, bias: Double)
        throws
    {
        let samples = try rates(log(rate: rate, bias: bias))
        let steps = zip(samples, samples.dropFirst()).map { $1.time - $0.time }
        #expect(steps.allSatisfy { near($0, 1 / 60.0, 1e-9) })
        // A sum of rates at 60 Hz is what the law adds up.
        let sum = samples.reduce(0) { $0 + $1.rate.y }
        #expect(near(sum / 60, 0.2, 0.4 / rate), "\(sum / 60)")
        #expect(abs(samples[samples.count - 1].rate.y) < 1e-9)
    }

    /// phyphox begins before 0 s, and in many countries has decimal commas; SensorLog has a clock for each sensor.
    @Test func readsPhyphoxAndSensorLogAsTheyCome() throws {
        let phyphox = """
            "Zeit (s)";"Gyroskop x (rad/s)";"Gyroskop y (rad/s)";"Gyroskop z (rad/s)";"Absolut (rad/s)"
            """.replacing("Zeit", with: "Time").replacing("Gyroskop", with: "Gyroscope")
            + "\n-1,000000000E-1;1,0E0;2,5E0;3,0E0;9\n4,000000000E-1;1;2,5;3;9"
        let samples = try rates(phyphox)
        #expect(samples[0].time == 0 && samples[0].rate.y == 2.5)
        #expect(near(samples[samples.count - 1].time, 0.5, 1e-9))
        let sensorLog = """
            loggingTime(txt),locationTimestamp_since1970(s),gyroTimestamp_sinceReboot(s),gyroRotationX(rad/s),\
            gyroRotationY(rad/s),gyroRotationZ(rad/s),motionTimestamp_sinceReboot(s),motionRotationRateX(rad/s),\
            motionRotationRateY(rad/s),motionRotationRateZ(rad/s)
            2026-01-01 10:00:00.000 +0100,1767258000,100.5,9,9,9,100.5,1,2,3
            2026-01-01 10:00:00.500 +0100,1767258000,101,9,9,9,101,1,2,3
            """
        let moved = try rates(sensorLog)
        #expect(moved[0].time == 100.5 && moved[0].rate == RotationRate(x: 1, y: 2, z: 3))
    }

    @Test func absoluteClocksCountFromTheFirstSampleToTheNanosecond() throws {
        let text = "time (ns),x,y,z\n1700000000000000001,0,0,0\n1700000000050000004,0,0,0"
        let events = try TraceDecoder.decode(Array(text.utf8)).events
        let frames = (0...3).map { Double($0) / 60 }
        #expect(events.map(\.time) == frames)
    }

    @Test func degreesBecomeRadians() throws {
        let text = "time,x (°/s),y (°/s),z (°/s)\n0,180,0,-90"
        let events = try TraceDecoder.decode(Array(text.utf8)).events
        #expect(events == [Trace.Event(time: 0, .rotation(RotationRate(x: .pi, y: 0, z: -.pi / 2)))])
    }

    private static let refused = [
        (
            "hello",
            "\(noLog)the header has no column for the time; the columns time,x,y,z are needed"
        ),
        (
            "time,x,z\n",
            "\(noLog)the header has no column for y; the columns time,x,y,z are needed"
        ),
        (
            "time,x,y,z,x\n",
            "\(noLog)the header has 2 columns for x; the columns time,x,y,z are needed"
        ),
        ("time,x,y,z\n0,1,2\n", "line 2, column 1: the line has 3 values; the header has 4 columns"),
        ("time,x,y,z\n0,1,2,3\n\n1,nan,2,3", "line 4, column 1: \"nan\" is not a number; a finite number is needed"),
        ("time,x,y,z\n0,1,0x1,3", "line 2, column 1: \"0x1\" is not a number; a finite number is needed"),
        ("time,x,y,z\n0,1,1e999,3", "line 2, column 1: \"1e999\" is not a number; a finite number is needed"),
        ("time,x,y,z\n0,1,,3", "line 2, column 1: \"\" is not a number; a finite number is needed"),
        (
            "time,x,y,z\n2,1,2,3\n1,1,2,3",
            "line 3, column 1: the event is at 1 s, before the previous event at 2 s; events must be in the order of time"
        ),
    ]

    @Test(arguments: refused)
    func refusesWithTheLine(text: String, expected: String) {
        #expect(sentence(text) == expected)
    }
}
