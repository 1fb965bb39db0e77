import LoupeBase

/// The cost of a fragment shader as a compiler reports it: instructions and registers, never time.
package struct ShaderCost: Hashable, Sendable {
    /// The machine instructions.
    package var instructions: Int
    /// Vector registers of a thread: VGPRs of AMD, general registers of NVIDIA.
    package var registers: Int
    /// Memory that takes what registers can't hold, in bytes: of a thread with NVIDIA, of a wave with AMD.
    var scratch: Int
}

extension ShaderCost {
    /// What nouveau's message about a fragment shader says; nil for any other.
    init?(nouveau message: String) {
        var numbers: [String: Int] = [:]
        for part in message.split(separator: ",") {
            let words = part.split(separator: ":").map { $0.split(separator: " ").joined() }
            if words.count == 2, let number = Int(words[1]) { numbers[words[0]] = number }
        }
        // Type 4 is a fragment shader.
        guard numbers["type"] == 4, let registers = numbers["gpr"], let instructions = numbers["inst"] else {
            return nil
        }
        self.init(instructions: instructions, registers: registers, scratch: numbers["local"] ?? 0)
    }

    /// What radeonsi prints about a pixel shader; nil where there is none.
    ///
    /// Variants for known values of uniforms are left out: the driver compiles them beside, at a time of its own, also while
    /// the next program is compiled. Of the rest the last counts.
    init?(radeonsi lines: [String]) {
        let starts = lines.indices.filter { lines[$0] == "SHADER KEY" } + [lines.endIndex]
        let shaders = zip(starts, starts.dropFirst()).map { lines[$0..<$1] }.filter { shader in
            shader.contains { $0.hasPrefix("Pixel Shader:") }
                && !shader.contains { $0.contains("opt.inline_uniforms = 1") }
        }
        guard let lines = shaders.last else { return nil }
        func number(_ name: String) -> Int? {
            lines.last { $0.hasPrefix(name + ":") }.flatMap {
                $0.dropFirst(name.count + 1).split(separator: " ").first.flatMap { Int($0) }
            }
        }
        // An instruction is a line such as `	s_mov_b32 s0, s2    ; BE800002`.
        let instructions = lines.count { line in
            guard line.hasPrefix("\t"), let comment = line.lastIndex(of: ";") else { return false }
            return line[line.index(after: comment)...].allSatisfy { $0 == " " || $0.isHexDigit }
        }
        guard let registers = number("VGPRS"), instructions > 0 else { return nil }
        self.init(instructions: instructions, registers: registers, scratch: number("Scratch") ?? 0)
    }

    /// What it has more of than another, in words; empty where it has more of nothing that counts.
    func growth(over base: ShaderCost) -> [String] {
        let rows = [
            ("instructions", instructions, base.instructions), ("registers", registers, base.registers),
            ("bytes of scratch memory", scratch, base.scratch),
        ]
        return rows.filter { $1 > $2 }.map { "\($1) \($0) in place of \($2)" }
    }
}

extension ShaderCost {
    var json: JSONValue {
        [
            "instructions": .number(Double(instructions)), "registers": .number(Double(registers)),
            "scratch": .number(Double(scratch)),
        ]
    }

    init?(_ json: JSONValue) {
        func number(_ key: String) -> Int? { json[key]?.double.flatMap(Int.init(exactly:)) }
        guard let instructions = number("instructions"), let registers = number("registers"),
            let scratch = number("scratch")
        else { return nil }
        self.init(instructions: instructions, registers: registers, scratch: scratch)
    }
}
