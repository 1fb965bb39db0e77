/// The pictures in an SVG that cairo wrote.
enum SVGImages {
    /// The file, in which pictures of some sizes are shown as squares: the SVGs of cairo 1.16 do not say which are.
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
