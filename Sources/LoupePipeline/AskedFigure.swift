import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupeScene
import LoupeSystem

/// The command or job that made a picture, which stores it so that an editor can go on with it: a job as in a list of `batch`,
/// without its output.
struct AskedFigure: Sendable {
    /// The options, by their names, in the order of the table.
    private let options: JSONObject

    /// What the options of a page, and its size on paper, say.
    init(_ given: GivenOptions, _ settings: RenderJob.Settings) {
        var options = JSONObject()
        for option in PictureOption.all where given.has(option) {
            let texts = given.entries.filter { $0.name == option.name }
                .map { JSONValue.string(String(decoding: $0.value, as: UTF8.self)) }
            let isFlag = if case .none = option.value { true } else { false }
            _ = options.append(isFlag ? .bool(true) : texts.count == 1 ? texts[0] : .array(texts), forKey: option.name)
        }
        let paper = settings.paper
        let sizes = [("width", paper.width?.text), ("height", paper.height?.text), ("dpi", paper.dpi?.jsonText)]
        for case (let name, let text?) in sizes { _ = options.append(.string(text), forKey: name) }
        if settings.options.depth == .sixteen { _ = options.append("16", forKey: "depth") }
        self.options = options
    }

    /// What a picture has stored.
    init?(_ stored: JSONValue) {
        guard case .object(let object) = stored else { return nil }
        options = JSONObject(object.members.filter { $0.key != "input" }.map { ($0.key, $0.value) })
    }

    /// The request with the names of a picture's images.
    /// - Parameter page: as the scene names it.
    func json(of page: ImagePath, naming names: [ImagePath: ImagePath]) -> JSONValue {
        func name(_ text: some StringProtocol) -> String {
            let path = ImagePath(String(text))
            return (names[path] ?? path).description
        }
        let renamed = options.members.map { member -> (String, JSONValue?) in
            switch (PictureOption.named(member.key)?.value, member.value) {
            case (.path?, .string(let path)): (member.key, .string(name(path)))
            case (.paths?, .string(let paths)):
                (member.key, .string(paths.split(separator: ",").map { name($0) }.joined(separator: ",")))
            default: (member.key, member.value)
            }
        }
        return .object(JSONObject([("input", .string((names[page] ?? page).description))] + renamed))
    }
}

/// The command that a picture was made by, as words.
package enum StoredCommand {
    /// The words of the command that a figure stores, the page first, its paths from the working folder; nil where it stores
    /// none.
    /// - Parameter allowsOutside: whether it may name files that do not lie below the figure's folder.
    /// - Throws: `PipelineError.storedScene` for a damaged one.
    package static func words(in figure: ImageFile, at name: Path, allowsOutside: Bool) throws -> [String]? {
        guard let text = try FigureFile.storedScene(in: figure) else { return nil }
        let source = ImageSource(besideDocument: name, allowsOutside: allowsOutside)
        do {
            guard let request = try SceneRecord(parsing: Array(text.utf8)).request, case .object(let members) = request
            else {
                return nil
            }
            func path(_ text: some StringProtocol) throws -> String {
                let path = ImagePath(String(text))
                if let refusal = source.refusal(of: path) { throw JSONReader(request).error(refusal) }
                return String(decoding: source.location(of: path).bytes, as: UTF8.self)
            }
            var words = [try path(try JSONReader(members["input"] ?? .null).string())]
            let job = try JobOptions(JSONReader(request), without: ["input"])
            var given = job.given
            if let other = given.text(.versus) { given.set(.versus, to: try path(other)) }
            if let others = given.text(.compareWith) {
                given.set(
                    .compareWith, to: try others.split(separator: ",").map { try path($0) }.joined(separator: ","))
            }
            words += given.commandWords
            for (flag, length) in [("--width", job.paper.width), ("--height", job.paper.height)] {
                if let length { words += [flag, length.text] }
            }
            if let dpi = job.paper.dpi { words += ["--dpi", dpi.jsonText] }
            return job.depth == .sixteen ? words + ["--depth", "16"] : words
        } catch let error as DocumentError {
            throw PipelineError.storedScene(name: name.inputName, error)
        }
    }
}
