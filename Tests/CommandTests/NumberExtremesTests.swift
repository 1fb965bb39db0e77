import LoupeBase
import TestSupport
import Testing

/// Every number that the command reads, at its extremes: a sentence or a result, never a trap and never an endless run.
@Suite struct NumberExtremesTests {
    let place: Workplace

    init() throws {
        place = try Workplace()
        try KindOfWork.prepare(place)
    }

    /// The codes of docs/faults.md, without that of a defect.
    private static let codes: Set<Int32> = [0, 1, 64, 65, 66, 69, 73]

    private static let numbers = [
        "-9223372036854775808", "9223372036854775807", "9223372036854775808", "-1", "0", "1", "2147483648",
        "4294967296",
        "9007199254740993", "1e308", "-1e308", "1e-308", "1e400", "0.5",
    ]
    /// What only a command line can say.
    private static let words = [
        "nan", "-inf", "inf", "", "-0", "0x7fffffffffffffff", String(repeating: "9", count: 5000), "1e", "+", "1_000",
    ]

    // MARK: - Options

    /// An option of a subcommand, from the command's own description of itself.
    struct DeclaredOption: Sendable, CustomTestStringConvertible {
        let command: String
        let name: String
        let value: String
        var testDescription: String { "\(command) --\(name)=\(value.prefix(40))" }
    }

    /// Numbers one by one and in all forms that options have: lists, sizes, points, parts, words of a loupe.
    private static func forms(of number: String) -> [String] {
        [
            number, "\(number),\(number)", "\(number),0,1,1", "0,0,\(number),\(number)", "\(number)x\(number)",
            "1x\(number)", "\(number)/\(number)", "1/\(number)", "\(number),\(number)@\(number),\(number)",
            "rim=\(number)", "at=\(number),\(number) radius=\(number) zoom=\(number)", "\(number)M",
        ]
    }

    private static func declaredOptions() throws -> [DeclaredOption] {
        let place = try Workplace()
        let help = try JSONValue(parsing: place.command.run("--experimental-dump-help").output)
        var options: [DeclaredOption] = []
        func collect(_ command: JSONValue, _ path: [String]) {
            for argument in command["arguments"].elements where argument["kind"] == "option" {
                guard case .string(let name) = argument["preferredName"]["name"], name.count > 1 else { continue }
                for number in numbers + words {
                    for form in forms(of: number) {
                        options.append(DeclaredOption(command: path.joined(separator: " "), name: name, value: form))
                    }
                }
            }
            for child in command["subcommands"].elements {
                if case .string(let name) = child["commandName"], name != "help" { collect(child, path + [name]) }
            }
        }
        collect(help["command"], [])
        return options
    }

    /// What each subcommand needs beside the option.
    private static let needed: [String: [String]] = [
        "render": ["page.png", "--output=out.png", "--at=9,9", "--max-memory=300M"],
        "live": ["page.png", "--output=out.html", "--at=9,9", "--max-memory=300M"],
        // It ends before it waits for a browser: a scene would lie in another folder than the page.
        "edit": ["page.png", "--output=suite/out.json", "--at=9,9", "--max-memory=300M"],
        "inspect": ["page.png", "--at=3,4"], "check": ["page.png", "--quiet"], "batch": ["jobs.jsonl", "--quiet"],
        "replay": ["session.json", "--output=out.apng", "--quiet"], "diff": ["page.png", "page.png"],
        "crops": ["page.png", "--reference=page.png", "--output=out.png", "--max-memory=300M"],
        "verify": ["suite", "--quiet"], "report merge": ["report.json", "--quiet"],
        "bench": ["--quick", "--only=no such case", "--quiet"], "cost": ["--quiet"],
        "devices": ["--quiet"],
        "trace convert": ["trace.jsonl", "--output=out.jsonl"], "trace explain": ["trace.jsonl"],
    ]

    @Test func everyOptionOfEverySubcommandBearsEveryNumber() throws {
        let options = try Self.declaredOptions()
        #expect(Set(options.map(\.command)).subtracting(Self.needed.keys).isEmpty, "a subcommand is not tried here")
        #expect(options.count > 10_000)
        place.run("verify", "suite", "--quiet", "--json", "report.json")
        // With another output, edit waits for a browser.
        let tried = options.filter { $0.command != "edit" || $0.name != "output" }
        for option in Sample.of(tried, every: 1823) {
            let base = (Self.needed[option.command] ?? []).filter { !$0.hasPrefix("--\(option.name)=") }
            let run =
                option.command.split(separator: " ").map(String.init) + base + ["--\(option.name)=\(option.value)"]
            let outcome = place.command.run(run, seconds: 60)
            #expect(Self.codes.contains(outcome.code), "\(option.testDescription): \(outcome.errors.prefix(400))")
            Self.expectShortQuotes(outcome, option.testDescription)
        }
    }

    // MARK: - Documents

    /// The texts that arise from a text when one of its numbers is replaced.
    private static func variants(of text: String) -> [String] {
        let bytes = Array(text.utf8)
        var places: [Range<Int>] = []
        var index = 0
        var isInString = false
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { isInString.toggle() }
            let start = index
            while !isInString, index < bytes.count, "+-.0123456789eE".utf8.contains(bytes[index]),
                index > start || "-0123456789".utf8.contains(bytes[index])
            {
                index += 1
            }
            if index > start { places.append(start..<index) } else { index += 1 }
        }
        return places.flatMap { place in
            numbers.map { number in
                String(
                    decoding: bytes[..<place.lowerBound] + Array(number.utf8) + bytes[place.upperBound...],
                    as: UTF8.self)
            }
        }
    }

    /// A document as a valid example, and the run that reads it from a file of this name.
    private static let documents: [(file: String, run: [String])] = [
        ("scene.json", ["scene.json", "-o", "out.png", "--max-memory", "300M"]),
        ("jobs.jsonl", ["batch", "jobs.jsonl", "--quiet", "--max-memory", "300M"]),
        ("session.json", ["replay", "session.json", "--dry-run", "--states", "states"]),
        ("touches.json", ["replay", "touches.json", "--dry-run", "--states", "states"]),
        ("trace.jsonl", ["replay", "touches.json", "--dry-run", "--states", "states", "--plot", "chart.svg"]),
        ("report.json", ["report", "merge", "report.json", "--quiet", "--report", "page.html"]),
    ]

    @Test func everyNumberOfEveryDocumentMayBeAnyNumber() throws {
        place.run("verify", "suite", "--quiet", "--json", "report.json")
        for (file, run) in Self.documents {
            let text = try place.text(file)
            let variants = Self.variants(of: text)
            #expect(variants.count > 10)
            for variant in Sample.of(variants, every: 41) { try expectNoTrap(variant, in: file, run) }
            place.put(text, file)
        }
    }

    private func expectNoTrap(_ text: String, in file: String, _ run: [String]) throws {
        place.put(text, file)
        let outcome = place.command.run(run, seconds: 60)
        #expect(Self.codes.contains(outcome.code), "\(file): \(text): \(outcome.errors.prefix(400))")
        Self.expectShortQuotes(outcome, file)
    }

    /// No word of a sentence is longer than a value may be quoted.
    private static func expectShortQuotes(_ outcome: Command.Outcome, _ what: String) {
        let longest = outcome.errors.split { " \n'".contains($0) }.map { $0.unicodeScalars.count }.max() ?? 0
        #expect(longest <= 210, "\(what): \(outcome.errors.prefix(600))")
    }
}
