import LoupeImaging
import TestSupport
import Testing

/// One run of each kind of work that the command does, for tests of what holds for all of them.
struct KindOfWork: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    /// What is on standard output or in the file `out`, and so the same in each run.
    let output: String
    /// A run may end in 1: a comparison that differs.
    var codes: Set<Int32> = [0]

    var testDescription: String { name }

    /// Files of a workplace beside `page.png`.
    static func prepare(_ place: Workplace) throws {
        let large = Image(
            width: 600, height: 500, pixels: (0..<600 * 500 * 4).map { UInt8(truncatingIfNeeded: $0 &* 37 >> 3) })
        try place.put(large, "large.png")
        let samples = (0..<60 * 50 * 4).map { UInt16(truncatingIfNeeded: $0 &* 7919) }
        try place.put(Image(width: 60, height: 50, pixels16: samples), "deep.png")
        for (name, text) in texts { place.put(text, name) }
        try place.put(Workplace.page, "suite/case.png")
        try place.put(Workplace.page, "suite/page.png")
    }

    static let texts = [
        "scene.json": #"{"layers": [{"image": "page.png"}], "loupes": [{"center": [20, 15], "radius": 9, "zoom": 3}]}"#,
        "suite/case.json": #"{"layers": [{"image": "page.png"}]}"#,
        "jobs.jsonl": """
        {"input": "page.png", "output": "out", "at": [20, 15], "no-metadata": true}
        {"input": "page.png", "output": "out-2", "zoom": 3, "at": [9, 9], "no-metadata": true}

        """,
        "session.json": """
        {"model": "keyframes", "duration": 0.4, "fps": 10, "scene": {"canvas": {"width": 40, "height": 30},
         "layers": [{"image": "page.png"}], "loupes": [{"center": [10, 10], "radius": 6, "zoom": 2}]},
         "keyframes": [{"t": 0.3, "loupe": 0, "center": [30, 20], "zoom": 3}]}
        """,
        "trace.jsonl": """
        {"t": 0, "touch": 1, "phase": "began", "at": [20, 15]}
        {"t": 0.1, "touch": 1, "phase": "moved", "at": [22, 16]}
        {"t": 0.5, "touch": 1, "phase": "ended", "at": [22, 16]}

        """,
        "touches.json": """
        {"model": "loupe", "fps": 10, "trace": "trace.jsonl",
         "scene": {"layers": [{"image": "page.png"}]}}
        """,
        "drawing.svg": #"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><circle r="9"/></svg>"#,
    ]

    static let all: [KindOfWork] = [
        KindOfWork(
            name: "render", arguments: ["large.png", "-o", "out", "--at", "90,80", "--no-metadata"], output: "out"),
        KindOfWork(name: "scene", arguments: ["scene.json", "-o", "out", "--no-metadata"], output: "out"),
        KindOfWork(
            name: "rows",
            arguments: ["large.png", "-o", "out", "--canvas", "90x70", "--stream-from", "1", "--no-metadata"],
            output: "out"),
        KindOfWork(
            name: "16 bits", arguments: ["deep.png", "-o", "out", "--depth", "16", "--no-metadata"], output: "out"),
        KindOfWork(
            name: "reference", arguments: ["page.png", "-o", "out", "--reference", "--no-metadata"], output: "out"),
        KindOfWork(name: "batch", arguments: ["batch", "jobs.jsonl", "--quiet"], output: "out"),
        KindOfWork(
            name: "frames", arguments: ["replay", "session.json", "-o", "out%d", "--format", "png"], output: "out3"),
        KindOfWork(
            name: "raw frames", arguments: ["replay", "session.json", "-o", "out", "--format", "raw"], output: "out"),
        KindOfWork(
            name: "states", arguments: ["replay", "touches.json", "--dry-run", "--states", "out"], output: "out"),
        KindOfWork(name: "diff", arguments: ["diff", "large.png", "page.png", "-o", "out"], output: "out", codes: [1]),
        KindOfWork(name: "verify", arguments: ["verify", "suite", "--quiet", "--junit", "/dev/null"], output: ""),
        KindOfWork(name: "inspect", arguments: ["inspect", "page.png", "--at", "3,4", "--json", "out"], output: "out"),
        KindOfWork(name: "check", arguments: ["check", "page.png", "--quiet", "--json", "out"], output: "out"),
        KindOfWork(name: "devices", arguments: ["devices", "--quiet"], output: ""),
    ]
}
