import ArgumentParser
import LoupeImaging
import LoupeJSON
import LoupeScene

/// The options of a job, set without ArgumentParser, which needs a millisecond for each command line: a list may have ten
/// thousand. Where it would find anything wrong, it is asked, for its sentence.
extension Render {
    /// The render that these arguments describe.
    /// - Parameters:
    ///   - flags: as `--name` or `--name=value`, values escaped as `Arguments` does.
    ///   - input: escaped, too.
    ///   - output: escaped, too.
    /// - Throws: `DocumentError` with ArgumentParser's sentence.
    static func ofJob(_ flags: [String], input: String, output: String) throws(DocumentError) -> Render {
        if let render = assembled(flags, input: input, output: output) { return render }
        do {
            return try Render.parse(flags + ["--output=\(output)", "--", input])
        } catch {
            throw DocumentError(at: .key(path: ""), Arguments.readable(Render.message(for: error)))
        }
    }

    /// Nil where a flag or a value is not allowed.
    static func assembled(_ flags: [String], input: String, output: String) -> Render? {
        guard !output.isEmpty, var render = plain else { return nil }
        (render.input, render.output) = (InputPath(argument: input), OutputPath(argument: output))
        for flag in flags {
            let sides = flag.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let option = jobOptions[String(sides[0])] else { return nil }
            let value = sides.count > 1 ? String(sides[1]) : nil
            guard value != "", option.set(&render, value) else { return nil }
        }
        do {
            try render.limits.validate()
            try render.validate()
        } catch {
            return nil
        }
        return render
    }

    /// Without any option. A command that ArgumentParser has not made has no values.
    private static let plain = try? Render.parse(["--output=out", "--", "in"])

    /// How an option of a job is set; false where the value is not allowed.
    private struct JobOption: Sendable {
        let set: @Sendable (inout Render, String?) -> Bool
    }

    private typealias Place<Value> = WritableKeyPath<Render, Value> & Sendable

    private static func value<Value: ExpressibleByArgument>(_ place: Place<Value?>) -> JobOption {
        JobOption { render, text in
            guard let value = text.flatMap(Value.init(argument:)) else { return false }
            render[keyPath: place] = value
            return true
        }
    }

    private static func standardValue<Value: ExpressibleByArgument>(_ place: Place<Value>) -> JobOption {
        JobOption { render, text in
            guard let value = text.flatMap(Value.init(argument:)) else { return false }
            render[keyPath: place] = value
            return true
        }
    }

    private static func flag(_ place: Place<Bool>) -> JobOption {
        JobOption { render, text in
            guard text == nil else { return false }
            render[keyPath: place] = true
            return true
        }
    }

    /// By long name: the options of `render` that a job can have.
    private static let jobOptions: [String: JobOption] = [
        "no-metadata": flag(\.beside.noMetadata), "map": value(\.beside.map),
        "show-plan": value(\.beside.showPlan),
        "width": value(\.beside.width), "height": value(\.beside.height), "dpi": value(\.beside.dpi),
        "depth": standardValue(\.beside.depth), "max-pixels": value(\.limits.maxPixels),
        "allow-outside": flag(\.files.allowOutside), "png-effort": standardValue(\.pngs.pngEffort),
        "stream-from": standardValue(\.streamFrom), "reference": flag(\.reference), "stats": value(\.stats),
    ]
}
