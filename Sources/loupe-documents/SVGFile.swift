/// An SVG that cairo wrote, and what cairo leaves to be done in it.
enum SVGFile {
    /// The file with each source once. In groups cairo writes a source again, under the same name; references find the first.
    static func withoutCopies(_ file: [UInt8]) -> [UInt8] {
        var names = Set<ArraySlice<UInt8>>()
        func isNew(_ line: ArraySlice<UInt8>) -> Bool {
            names.insert(line.drop { $0 != UInt8(ascii: "\"") }.dropFirst().prefix { $0 != UInt8(ascii: "\"") })
                .inserted
        }
        // Of cairo 1.16, and of 1.18.
        let starts = [#"<g id="surface"#, #"<g id="source-"#].map { Array($0.utf8) }
        let image = Array(#"<image id="#.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(file.count)
        /// How many groups are open in the copy that is left out.
        var depth = 0
        var rest = file[...]
        while !rest.isEmpty {
            let line = rest.prefix(through: rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex - 1)
            rest = rest[line.endIndex...]
            if depth > 0 {
                if line.starts(with: "</g>".utf8) { depth -= 1 }
                if line.starts(with: "<g>".utf8) || line.starts(with: "<g ".utf8) { depth += 1 }
            } else if starts.contains(where: { line.starts(with: $0) }), !isNew(line) {
                depth = 1
            } else if !line.starts(with: image) || isNew(line) {
                result += line
            }
        }
        return result
    }

    /// The file, in which pictures of some sizes are shown as squares: cairo does not write which are.
    static func withSquares(_ file: [UInt8], in sizes: [(width: Int, height: Int)]) -> [UInt8] {
        guard !sizes.isEmpty else { return file }
        let squares = Array(#" image-rendering="optimizeSpeed" style="image-rendering:pixelated""#.utf8)
        let starts = sizes.map { Array("width=\"\($0.width)\" height=\"\($0.height)\"".utf8) }
        let tag = Array("<image ".utf8)
        var result: [UInt8] = []
        var (kept, position) = (0, 0)
        while let next = file[position...].firstIndex(of: tag[0]) {
            position = next + 1
            guard file[next...].starts(with: tag) else { continue }
            // After `id="image6" `.
            guard let start = file[(next + tag.count)...].prefix(60).firstIndex(of: UInt8(ascii: "w")),
                starts.contains(where: { file[start...].starts(with: $0) })
            else { continue }
            result += file[kept..<next + tag.count - 1] + squares
            kept = next + tag.count - 1
        }
        return result + file[kept...]
    }
}
