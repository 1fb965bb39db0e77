import LoupeCompose
import LoupeJSON
import TestSupport
import Testing

@testable import loupe_render

/// Jobs are set without ArgumentParser: as quickly as a long list needs, and to the same renders.
///
/// It has a target of its own because it alone imports the command: a target that does is compiled again after almost
/// every change.
@Suite struct AssembledRenderTests {
    /// Values of every form that an option of render has.
    private static let values = [
        "3", "0.25", "-2", "2000000", "9,7", "3,4@20,15", "page:3,4", "10%,20%", "page:1,2..9,8",
        "page:1,2..9,8@50%,5%", "20x10",
        "3,2,1,4", "#123456", "linear", "srgb", "ios", "round", "auto",
        "clamp", "lines", "16", "best", "gold", "dark", "#fff..navy", "page.png", "at=9,9 radius=4", "12345", "a",
        "0.65um", "b.png,c.png", "85mm",
    ]

    private static func declaration() throws -> [JSONValue] {
        let command = Command(folder: TemporaryFolder())
        let help = try JSONValue(parsing: command.run("--experimental-dump-help").output)
        guard case .array(let commands) = help.member("command", "subcommands"),
            let render = commands.first(where: { $0.member("commandName") == "render" }),
            case .array(let arguments) = render.member("arguments")
        else { return [] }
        return arguments
    }

    private func text(_ render: Render) -> String {
        var text = ""
        dump(render, to: &text)
        return text
    }

    @Test func everyDeclaredOptionIsSetAsArgumentParserSetsIt() throws {
        let others = Set([
            "output", "device", "no-fallback", "shaders", "print-scene", "max-memory", "no-sync", "svg-timeout", "help",
            "version",
        ]).union(PictureOption.all.map(\.name))
        var tried = 0
        for argument in try Self.declaration() {
            guard case .string(let name) = argument.member("preferredName", "name"), !others.contains(name) else {
                continue
            }
            if argument.member("kind") == "positional" { continue }
            let flags = argument.member("kind") == "flag" ? ["--\(name)"] : Self.values.map { "--\(name)=\($0)" }
            var allowed = 0
            for flag in flags {
                guard let parsed = try? Render.parse([flag, "--output=o.png", "--", "i.png"]) else {
                    #expect(Render.assembled([flag], input: "i.png", output: "o.png") == nil, "\(flag) is refused")
                    continue
                }
                let quick = Render.assembled([flag], input: "i.png", output: "o.png")
                #expect(quick.map(text) == text(parsed), "\(flag)")
                allowed += 1
            }
            #expect(allowed > 0, "no value is tried for --\(name)")
            tried += 1
        }
        #expect(tried > 12)
    }
}

extension JSONValue {
    /// The member of an object that these keys name, each in the one before; `null` where there is none.
    fileprivate func member(_ keys: String...) -> JSONValue {
        keys.reduce(self) { value, key in
            guard case .object(let object) = value else { return .null }
            return object[key] ?? .null
        }
    }
}
