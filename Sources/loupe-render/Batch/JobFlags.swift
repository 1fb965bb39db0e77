import LoupeJSON
import LoupeScene

/// The options of a job as the command line has them: each key is a long name, each value what follows it.
enum JobFlags {
    /// Keys that are no options of a job, and why.
    private static let refused = [
        "device": "all jobs of a batch are drawn by one; name it with batch --device",
        "allow-outside": "it is for the command line; use batch --allow-outside",
        "print-scene": "a job draws; render --print-scene prints",
        "help": "it is no option of a job", "version": "it is no option of a job",
    ]
    /// Keys that are read elsewhere.
    private static let own: Set = ["input", "output"]

    static func arguments(of job: JSONReader) throws(DocumentError) -> [String] {
        guard case .object(let object) = job.value else { return [] }
        var arguments: [String] = []
        for member in object.members where !own.contains(member.key) {
            if let reason = refused[member.key] { throw job.error(at: member.key, reason) }
            guard isName(member.key) else { throw job.error(at: member.key, "unknown key; it is no option of render") }
            let value = JSONReader(member.value, path: .key(member.key, in: job.path))
            arguments += try self.arguments("--" + member.key, value)
        }
        return arguments
    }

    /// Such as `corner-radius`.
    private static func isName(_ key: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return key.utf8.first.map(letters.contains) == true
            && key.utf8.allSatisfy { letters.contains($0) || $0 == UInt8(ascii: "-") }
    }

    /// `true` is a flag that is given, `false` one that is not, and an array is the numbers of one value, or else
    /// several values.
    private static func arguments(_ name: String, _ value: JSONReader) throws(DocumentError) -> [String] {
        switch value.value {
        case .bool(let isGiven): return isGiven ? [name] : []
        case .array(let elements):
            let numbers = elements.compactMap(number)
            if numbers.count == elements.count, !elements.isEmpty {
                return ["\(name)=\(numbers.joined(separator: ","))"]
            }
            var arguments: [String] = []
            for element in try value.array() { arguments += try self.arguments(name, element) }
            return arguments
        case .string(let text): return ["\(name)=\(text)"]
        case .number: return ["\(name)=\(value.value.line)"]
        case .null, .object:
            throw value.error("it is no option's value; a string, a number, a boolean or an array is needed")
        }
    }

    private static func number(_ value: JSONValue) -> String? {
        if case .number = value { value.line } else { nil }
    }
}
