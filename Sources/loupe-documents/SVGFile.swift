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

    // MARK: - Documents

    /// The address of a picture in whose place the drawing of an image is put.
    static func link(to index: Int) -> String { "loupe:\(index)" }

    /// What a file draws, its names behind a prefix, as the content of a group.
    static func content(of file: [UInt8], prefix: String, scaledBy scale: (x: Double, y: Double)) -> [UInt8] {
        guard let root = file[...].firstRange(of: "<svg ".utf8), let open = SVGTag.end(of: file[root.upperBound...]),
            let close = file.lastIndex(of: UInt8(ascii: "<"))
        else { return [] }
        // Cairo writes no text and no style sheet. All else that has one of these is a name, or a colour.
        let names = [" id=\"", "href=\"#", "url(#"].map { Array($0.utf8) }
        var result = Array("<g transform=\"scale(\(scale.x),\(scale.y))\">".utf8)
        result.reserveCapacity(file.count + file.count / 8)
        var (kept, position) = (open + 1, open + 1)
        while position < close {
            let byte = file[position]
            // The marks before a name end so.
            guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#"),
                names.contains(where: { file[..<(position + 1)].suffix($0.count).elementsEqual($0) })
            else {
                position += 1
                continue
            }
            result += file[kept...position] + prefix.utf8
            (kept, position) = (position + 1, position + 1)
        }
        return result + file[kept..<close] + "</g>".utf8
    }

    /// The file with drawings in place of the pictures that link to them.
    static func placing(_ drawings: [Int: [UInt8]], in file: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = file[...]
        while let mark = rest.firstRange(of: "href=\"loupe:".utf8) {
            let number = rest[mark.upperBound...].prefix { 0x30...0x39 ~= $0 }
            guard let start = rest[..<mark.lowerBound].lastIndex(of: UInt8(ascii: "<")),
                let end = rest[number.endIndex...].firstIndex(of: UInt8(ascii: ">")),
                let drawing = Int(String(decoding: number, as: UTF8.self)).flatMap({ drawings[$0] })
            else { break }
            let id = SVGTag.attributes(of: rest[start..<end])?.first { $0.name == "id" }?.text ?? []
            result += rest[..<start] + "<g ".utf8 + id + ">".utf8 + drawing + "</g>".utf8
            rest = rest[(end + 1)...]
        }
        return result + rest
    }
}
