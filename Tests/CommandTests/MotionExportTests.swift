import Glibc
import LoupeBase
import LoupeImaging
import TestSupport
import Testing

import func Glibc.cos
import func Glibc.sin

/// What `loupe-render replay` writes beside frames: charts, curves, tables and videos.
@Suite struct MotionExportTests {
    let place: Workplace

    private static let nothing = ["__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"]

    /// A flick on a page of twice the canvas's height, which is odd.
    static let session = """
        {"model": "scroll", "fps": 60, "duration": 1, "canvas": {"width": 39, "height": 15, "background": "#fff"},
         "photo": "page.png", "trace": [
          {"t": 0.1, "touch": 1, "phase": "began", "at": [20, 14]},
          {"t": 0.12, "touch": 1, "phase": "moved", "at": [20, 13]},
          {"t": 0.14, "touch": 1, "phase": "moved", "at": [20, 11]},
          {"t": 0.16, "touch": 1, "phase": "ended", "at": [20, 9]}]}
        """

    init() throws {
        place = try Workplace()
        place.put(Self.session, "session.json")
    }

    private func replay(_ arguments: String..., environment: [String: String] = [:]) -> Command.Outcome {
        place.command.run(["replay", "session.json"] + arguments, environment: environment)
    }

    private func expectFailure(_ outcome: Command.Outcome, _ code: Int32, naming words: String...) {
        let inputs = place.folder.names.filter { ["page.png", "session.json", "bin"].contains($0) }
        place.expectFailure(outcome, code, naming: words, files: inputs)
    }

    /// As `--plot -`, the style sheet goes to standard output.
    @Test func curveGoesToStandardOutput() throws {
        place.expectSuccess(replay("--curve", "out.css", environment: Self.nothing))
        let outcome = replay("--curve", "-", environment: Self.nothing)
        place.expectSuccess(outcome)
        #expect(try outcome.text == place.text("out.css"))
        #expect(replay("--curve", "-", "--plot", "-").code == 64)
    }

    // MARK: - A recording beside the model

    /// Pop's decay in closed form, at times that are no frame's: the content's velocity at release is 100 points a second.
    @Test func recordingIsComparedAtItsOwnTimes() throws {
        place.expectSuccess(replay("--dry-run", "--states", "own.csv"))
        let rows = try place.text("own.csv").split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
        let (time, offset) = (rows[0].firstIndex(of: "t") ?? 0, rows[0].firstIndex(of: "offset.y") ?? 0)
        let shifted = rows.dropFirst().enumerated().map { index, row in
            "\(row[time]),\(index % 2 == 0 ? "" : String((Double(row[offset]) ?? 0) + (index == 31 ? 0.6 : 0.2)))"
        }
        place.put("t,offset.y\n" + shifted.joined(separator: "\n") + "\n", "phone.csv")
        let outcome = replay("--against", "phone.csv", "--plot", "both.svg", environment: Self.nothing)
        place.expectSuccess(outcome)
        // 29 of 30 are 0.2 off, one is 0.6 off: the root of (29 · 0.04 + 0.36) / 30.
        #expect(outcome.text == "offset.y: 30 samples, RMS 0.225, greatest difference 0.6 at 0.517 s\n")
        #expect(try place.text("both.svg").contains(">y, recorded<"))
        #expect(try place.text("both.svg").contains(">y<"))
    }

    @Test func whatNoChartShowsIsNamed() throws {
        place.put("t,velocity.y,offset.y\n0,0,0\n", "phone.csv")
        let lines = replay("--against", "phone.csv", "--plot", "both.svg").text.split(separator: "\n")
        try #require(lines.count == 2)
        #expect(lines[0].hasPrefix("velocity.y: 1 samples, "))
        #expect(lines[0].hasSuffix("; no chart shows it"))
        #expect(!lines[1].contains("chart"))
    }

    @Test(
        "A recording that can't be compared is refused",
        arguments: [
            ("t,speed\n0,1\n", "phone.csv: line 1", "the model has no number \"speed\"; it has offset.x"),
            ("offset.y\n1\n", "phone.csv: line 1", "the header has no column for the time"),
            ("t,offset.y\n0,high\n", "phone.csv: line 2", "\"high\" is not a number"),
            ("t,offset.y\n-1,2\n", "phone.csv: line 2", "the time -1 is out of range"),
            ("t\n0\n", "phone.csv: line 1", "there is no column beside t"),
            ("t,offset.y\n0,\n", "phone.csv: line 1", "the column offset.y has no numbers"),
        ]) func refusedRecording(_ table: String, _ place: String, _ problem: String)
    {
        self.place.put(table, "phone.csv")
        let outcome = replay("--against", "phone.csv")
        #expect(outcome.code == 65)
        #expect(outcome.errors.contains(place), "\(outcome.errors)")
        #expect(outcome.errors.contains(problem), "\(outcome.errors)")
    }

    // MARK: - Charts

    @Test func plotIsAnSVGOrAPictureOfIt() throws {
        place.expectSuccess(replay("--plot", "out.svg", environment: Self.nothing))
        let svg = try place.text("out.svg")
        #expect(svg.contains("velocity of the offset") && svg.contains("session.json"))
        #expect(String(decoding: replay("--plot", "-").output, as: UTF8.self) == svg)
        place.expectSuccess(replay("--plot", "out.png", environment: Self.nothing))
        let picture = try place.image("out.png")
        #expect(picture.width == 1920)
        // librsvg draws paper, ink and curves, not black on black.
        let brightness = picture.pixels.reduce(0) { $0 + Int($1) } / picture.pixels.count
        #expect((200..<254).contains(brightness))
        let inks = Set(stride(from: 0, to: picture.pixels.count, by: 4).map { Array(picture.pixels[$0..<$0 + 3]) })
        #expect(
            inks.contains([0, 0x72, 0xb2]) && inks.contains([0xcc, 0x79, 0xa7]) && inks.contains([255, 255, 255]))
    }

    // MARK: - Curves

    @Test func curvesAreAStyleSheet() throws {
        place.expectSuccess(replay("--curve", "out.css", environment: Self.nothing))
        #expect(try place.text("out.css").contains("--offset-y: linear("))
    }

    @Test func curveThatCannotBeMadeIsRefused() {
        expectFailure(replay("--curve", "out.csv"), 64, naming: "out.csv", ".css")
        expectFailure(replay("--curve", "missing/out.css"), 73, naming: "missing/out.css")
        expectFailure(replay("--plot", "-", "--states", "-"), 64, naming: "--plot", "--states")
    }

    @Test func statesAreATableByTheName() throws {
        place.expectSuccess(replay("--dry-run", "--states", "out.csv", environment: Self.nothing))
        let lines = try place.text("out.csv").split(separator: "\n")
        try #require(lines.count == 61)
        #expect(lines[0] == "frame,t,phase,offset.x,offset.y,velocity.x,velocity.y,views")
        #expect(lines[1].hasPrefix("0,0,idle,0,0,0,0,\"[{\"\"view\"\": "))
        place.expectSuccess(replay("--dry-run", "--states", "out.jsonl", environment: Self.nothing))
        let json = try JSONValue(parsing: Array(place.text("out.jsonl").split(separator: "\n")[30].utf8))
        let cells = lines[31].split(separator: ",")
        let y = try #require(json["offset"].numbers.last)
        #expect(Double(cells[4]) == y && y > 0)
    }

    // MARK: - A device around the frames

    @Test func deviceIsAroundTheFrameAndTouchesBesideIt() throws {
        place.expectSuccess(replay("-o", "plain%d.png", "--from", "0.13", "--to", "0.14"))
        place.expectSuccess(replay("-o", "on%d.png", "--from", "0.13", "--to", "0.14", "--show-device"))
        place.expectSuccess(
            replay("-o", "with%d.png", "--from", "0.13", "--to", "0.14", "--show-device", "--show-touches"))
        place.expectSuccess(
            replay("-o", "line%d.png", "--from", "0.13", "--to", "0.14", "--show-device", "--caption", "One line"))
        let (plain, on) = (try place.image("plain8.png"), try place.image("on8.png"))
        let (with, line) = (try place.image("with8.png"), try place.image("line8.png"))
        #expect(on.width % 2 == 0 && on.height % 2 == 0 && on.isOpaque)
        // The middle of the screen, clear of its rounded corners.
        #expect(on.part(x: 76 + 18, y: 36 + 6, width: 3, height: 3) == plain.part(x: 18, y: 6, width: 3, height: 3))
        // The touch is larger than the screen is high, so it is beside the screen too.
        let above = { (image: Image) in image.part(x: 76 + 18, y: 36 - 3, width: 3, height: 1) }
        #expect(above(on) != above(with))
        #expect(line.height > on.height)
        let caption = line.part(x: 0, y: 0, width: line.width, height: 50)
        #expect(Set(caption).count > 20, "text on the background")
    }

    @Test func ghostIsADottedRingOfItsRole() throws {
        // The last finger leaves over the right side, which makes it a ghost.
        var events = [
            #"{"t": 0, "touch": 1, "phase": "began", "at": [300, 100]}"#,
            #"{"t": 0, "touch": 2, "phase": "began", "at": [340, 100]}"#,
        ]
        for step in 1...20 {
            let (time, shift) = (Double(step) / 60, 2.5 * Double(step))
            events.append(#"{"t": \#(time), "touch": 1, "phase": "moved", "at": [\#(300 - shift), 100]}"#)
            events.append(#"{"t": \#(time), "touch": 2, "phase": "moved", "at": [\#(340 + shift), 100]}"#)
        }
        events.append(#"{"t": 0.334, "touch": 2, "phase": "ended", "at": [392, 100]}"#)
        events.append(#"{"t": 0.9, "touch": 1, "phase": "ended", "at": [250, 100]}"#)
        let session = """
            {"model": "loupe", "fps": 60, "duration": 1, "canvas": {"width": 400, "height": 300}, "page": "page.png",
             "trace": [\(events.joined(separator: ", "))]}
            """
        place.put(session, "session.json")
        place.expectSuccess(replay("-o", "a%d.png", "--from", "0.34", "--to", "0.36", "--show-touches"))
        place.expectSuccess(replay("-o", "b%d.png", "--from", "0.34", "--to", "0.36"))
        let (with, without) = (try place.image("a21.png"), try place.image("b21.png"))
        let differs = { (x: Int, y: Int) in
            with.part(x: x, y: y, width: 1, height: 1) != without.part(x: x, y: y, width: 1, height: 1)
        }
        #expect(differs(250, 100), "the finger that holds is a disc")
        let ring = (0..<360).map { degree -> Bool in
            let angle = Double(degree) / 180 * .pi
            let (x, y) = (Int(394 + 22 * cos(angle)), Int(100 + 22 * sin(angle)))
            return x < 400 && differs(x, y)
        }
        let changes = zip(ring, ring.dropFirst()).count { $0 != $1 }
        #expect(!differs(394, 100) && changes > 8, "the ghost is a ring of dots")
    }

    /// Two touches that spread.
    private static let pinch = """
        {"model": "loupe", "fps": 10, "duration": 1, "canvas": {"width": 400, "height": 300}, "page": "page.png",
         "trace": [{"t": 0, "touch": 1, "phase": "began", "at": [100, 100]},
                   {"t": 0, "touch": 2, "phase": "began", "at": [160, 100]},
                   {"t": 0.3, "touch": 1, "phase": "moved", "at": [80, 100]},
                   {"t": 0.3, "touch": 2, "phase": "moved", "at": [180, 100]},
                   {"t": 0.8, "touch": 1, "phase": "ended", "at": [80, 100]},
                   {"t": 0.8, "touch": 2, "phase": "ended", "at": [180, 100]}]}
        """

    /// What lies under a loupe is magnified, but not the touches.
    @Test func touchesLieOverTheLoupe() throws {
        place.put(Self.pinch, "session.json")
        place.expectSuccess(replay("-o", "plain.png", "--from", "0.5", "--to", "0.55"))
        place.expectSuccess(replay("-o", "touched.png", "--from", "0.5", "--to", "0.55", "--show-touches"))
        let (plain, touched) = (try place.image("plain.png"), try place.image("touched.png"))
        for (x, y, isTouched) in [
            (80, 100, true), (180, 100, true), (95, 100, true), (110, 100, false), (50, 100, false),
        ] {
            let start = (y * plain.width + x) * 4
            let isSame = plain.pixels[start..<start + 4] == touched.pixels[start..<start + 4]
            #expect(isSame != isTouched, "\(x), \(y)")
        }
    }

    // MARK: - Videos

    /// A program named ffmpeg that does what a script says.
    private func encoder(_ script: String) -> [String: String] {
        mkdir(place.folder.file("bin"), 0o755)
        let path = place.folder.put(Array("#!/bin/sh\n\(script)\n".utf8), "bin/ffmpeg")
        chmod(path, 0o755)
        return ["PATH": place.folder.file("bin")]
    }

    @Test func missingEncoderIsNamed() {
        for name in ["out.mp4", "out.webm", "out.gif"] {
            expectFailure(
                replay("-o", name, environment: ["PATH": "/nonexistent"]), 69, naming: name, "ffmpeg", "apt-get install"
            )
        }
    }

    @Test func encoderThatFailsLeavesNoFile() {
        let full = encoder(
            "while read -r line; do :; done; echo 'header' >&2; echo 'No space left on device' >&2; exit 1")
        expectFailure(
            replay("-o", "out.mp4", environment: full), 73, naming: "out.mp4", "ffmpeg ended with code 1",
            "No space left on device")
        expectFailure(
            replay("-o", "out.mp4", environment: encoder("exit 3")), 73, naming: "ffmpeg ended with code 3")
        let quiet = encoder("while read -r line; do :; done; echo 'Error writing trailer' >&2; exit 0")
        expectFailure(replay("-o", "out.mp4", environment: quiet), 73, naming: "Error writing trailer")
        expectFailure(
            replay("-o", "out.mp4", environment: encoder("kill -9 $$")), 73, naming: "ffmpeg was ended by signal 9")
    }

    @Test func encoderGetsTheFramesAndTheFile() throws {
        // Writes its arguments and its input to the file that it is given.
        let copies = encoder("printf '%s\\n' \"$@\" >&3; /bin/cat >&3")
        place.expectSuccess(replay("-o", "out.mp4", "--every", "2", environment: copies))
        place.expectSuccess(replay("-o", "out.rgba", "--every", "2"))
        let (video, raw) = (try #require(place.bytes("out.mp4")), try #require(place.bytes("out.rgba")))
        #expect(raw.count == 30 * 39 * 15 * 4 && video.suffix(raw.count) == raw[...])
        let arguments = String(decoding: video.dropLast(raw.count), as: UTF8.self).split(separator: "\n")
        for argument in ["39x15", "60000/2000", "/dev/fd/3", "libx264"] { #expect(arguments.contains(argument[...])) }
        // ffmpeg counts how often a GIF plays again.
        for (loops, again) in [("0", "0"), ("1", "-1"), ("3", "2")] {
            place.expectSuccess(replay("-o", "out.gif", "--loops", loops, environment: copies))
            let gif = String(decoding: try #require(place.bytes("out.gif")), as: UTF8.self)
            #expect(gif.contains("\n-loop\n\(again)\n"))
        }
        let outcome = replay("-o", "-", "--format", "mp4")
        #expect(outcome.code == 64 && outcome.errors.contains("--format mp4: not to standard output"))
    }

    static let hasEncoder = access("/usr/bin/ffmpeg", X_OK) == 0 && access("/usr/bin/ffprobe", X_OK) == 0

    /// Runs a program of ffmpeg and returns what it prints.
    private func run(_ command: String) throws -> String {
        let pipe = try #require(popen("cd \(place.folder.path) && \(command)", "r"))
        defer { pclose(pipe) }
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while true {
            let count = fread(&buffer, 1, buffer.count, pipe)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    @Test(
        .enabled(if: hasEncoder, "ffmpeg is not installed"),
        arguments: [("mp4", 60, "60/1", 40, 16), ("webm", 60, "60/1", 40, 16), ("gif", 30, "30/1", 39, 15)])
    func videoHasEveryFrameAtItsTime(ending: String, frames: Int, rate: String, width: Int, height: Int) throws {
        guard Sample.isWhole || ending == "mp4" else { return }
        let name = "out.\(ending)"
        place.expectSuccess(replay("-o", name))
        let entries = "stream=width,height,avg_frame_rate,nb_read_frames:format=duration"
        let found = try run(
            "/usr/bin/ffprobe -v error -count_frames -show_entries \(entries) -of default=noprint_wrappers=1 \(name)")
        let values = Dictionary(
            found.split(separator: "\n").map { $0.split(separator: "=") }.map { ($0[0], $0[1]) },
            uniquingKeysWith: { $1 })
        #expect(values["width"] == "\(width)" && values["height"] == "\(height)", "\(found)")
        #expect(
            values["nb_read_frames"] == "\(frames)", "\(found)")
        // The times of a GIF are whole hundredths of a second.
        let fraction = try #require(values["avg_frame_rate"]).split(separator: "/").compactMap { Double($0) }
        #expect(
            ending == "gif"
                ? abs(fraction[0] / fraction[1] - 30) < 0.6 : values["avg_frame_rate"].map(String.init) == rate)
        #expect(try abs(#require(values["duration"].flatMap { Double($0) }) - 1) < 0.02)
        // What is decoded is close to the frames.
        _ = try run("/usr/bin/ffmpeg -v error -i \(name) -f rawvideo -pix_fmt rgba back.rgba")
        place.expectSuccess(replay("-o", "out.rgba", "--every", "\(60 / frames)"))
        let (back, raw) = (try #require(place.bytes("back.rgba")), try #require(place.bytes("out.rgba")))
        try #require(back.count == frames * width * height * 4)
        for frame in [0, frames / 3, frames - 1] {
            var sum = 0
            for y in 0..<15 {
                for x in 0..<39 {
                    let (there, here) = (4 * ((frame * height + y) * width + x), 4 * ((frame * 15 + y) * 39 + x))
                    for channel in 0..<3 { sum += abs(Int(back[there + channel]) - Int(raw[here + channel])) }
                }
            }
            // The page is noise at the scale of a pixel, whose colours 4:2:0 and a palette can't keep; another frame is
            // off by 60 and more.
            #expect(sum / (15 * 39 * 3) < 32, "frame \(frame)")
        }
    }
}
