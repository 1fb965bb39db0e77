import LoupeGeometry
import LoupeImaging
import LoupeJSON

/// What happened to a picture, as one sentence that a comparison's numbers do not say.
public enum PictureChange: Hashable, Sendable {
    /// The whole picture lies elsewhere.
    case shifted(Shift)
    /// Red, green and blue of almost all pixels are higher by about these steps.
    case evenColors(red: Int, green: Int, blue: Int)
    /// All pixels of one colour have another one; both are RGBA.
    case oneColor(from: [UInt8], to: [UInt8])
    /// Only pixels of these regions differ, and each lies between its neighbours in the reference.
    case onlyAntialiasing([PictureRegion])
    /// Only pixels differ that look anti-aliased; the scene is not known.
    case onlySoftPixels
    /// So many pixels differ otherwise than a change of the whole picture explains.
    case others(pixels: Int)
    /// The picture is as its scene describes it, and the reference is not.
    case outdatedReference
    /// A part of a loupe is too large by so many pixels, or too small where they are negative.
    case loupeSize(LoupePart, loupe: Int, pixels: Double)
    /// A part of a loupe lies elsewhere, in canvas pixels.
    case loupeMoved(LoupePart, loupe: Int, x: Double, y: Double)
    /// A part of a loupe is not drawn.
    case loupeMissing(LoupePart, loupe: Int)
    /// A loupe magnifies by another factor.
    case loupeZoom(loupe: Int, drawn: Double, stated: Double)
    /// A part of a loupe has another colour; both are RGBA.
    case loupeColor(LoupePart, loupe: Int, drawn: [UInt8], stated: [UInt8])
    /// Only what a loupe shows differs.
    case loupeContent(loupe: Int)
    /// A layer or its ink lies elsewhere, in canvas pixels.
    case layerMoved(LayerPart, layer: Int, x: Double, y: Double)
    /// A layer or its ink is not drawn.
    case layerMissing(LayerPart, layer: Int)
    /// A layer's outline lies too far outside by so many pixels, or inside where they are negative.
    case layerEdge(layer: Int, pixels: Double)
    /// The radii of a layer's corners are too large by so many pixels, or too small where they are negative.
    case layerCorners(layer: Int, pixels: Double)
    /// A layer has another opacity.
    case layerOpacity(layer: Int, drawn: Double, stated: Double)

    /// A part of a loupe that can be wrong by itself.
    public enum LoupePart: String, Hashable, Sendable {
        /// With all that it consists of.
        case loupe
        /// The border with the ring along it.
        case rim
        /// The ring's width.
        case rimWidth = "rim-width"
        /// The ring's outer edge.
        case rimEdge = "rim-edge"
        /// The line around the ring.
        case hairline
        /// What the loupe shows.
        case content
        /// The shadow.
        case shadow
    }

    /// A part of a layer that can be wrong by itself.
    public enum LayerPart: String, Hashable, Sendable {
        /// With its ink.
        case layer
        /// Without its ink.
        case page
        /// The strokes on it.
        case ink
    }

    /// The name in results.
    public var kind: String {
        switch self {
        case .shifted: "shift"
        case .evenColors: "even-colors"
        case .oneColor: "one-color"
        case .onlyAntialiasing, .onlySoftPixels: "only-antialiasing"
        case .loupeSize(let part, _, _): "\(part.rawValue)-size"
        case .loupeMoved(let part, _, _, _): "\(part.rawValue)-moved"
        case .loupeMissing(let part, _): "\(part.rawValue)-missing"
        case .loupeZoom: "loupe-zoom"
        case .loupeColor(let part, _, _, _): "\(part.rawValue)-color"
        case .loupeContent: "loupe-content"
        case .others: "others"
        case .outdatedReference: "outdated-reference"
        case .layerMoved(let part, _, _, _): "\(part.rawValue)-moved"
        case .layerMissing(let part, _): "\(part.rawValue)-missing"
        case .layerEdge: "layer-edge"
        case .layerCorners: "layer-corners"
        case .layerOpacity: "layer-opacity"
        }
    }
}

extension PictureChange {
    /// The change in results: its kind, and the sentence.
    package var json: JSONValue { ["kind": .string(kind), "text": .string(description)] }
}

extension PictureChange: CustomStringConvertible {
    /// One sentence without a full stop. Loupes and layers are counted from 1.
    public var description: String {
        switch self {
        case .shifted(let shift): "the picture is shifted by \(shift) px"
        case .evenColors(let red, let green, let blue): Self.sentence(evenly: [red, green, blue])
        case .oneColor(let from, let to): "one colour changed: \(Self.hex(from)) is drawn as \(Self.hex(to))"
        case .onlyAntialiasing(let regions):
            "only anti-aliasing along \(regions.map(\.edgeWords).joined(separator: " and ")) differs"
        case .onlySoftPixels: "only pixels differ that look anti-aliased"
        case .others(let pixels): "\(pixels) pixels differ by something else"
        case .outdatedReference:
            "the picture matches its scene, but the reference does not: perhaps the scene was changed"
        case .loupeSize, .loupeMoved, .loupeMissing, .loupeZoom, .loupeColor, .loupeContent: loupeSentence
        case .layerMoved, .layerMissing, .layerEdge, .layerCorners, .layerOpacity: layerSentence
        }
    }

    private var loupeSentence: String {
        switch self {
        case .loupeSize(let part, let loupe, let pixels):
            "the \(part == .shadow ? "shadow" : part == .rimEdge ? "outer edge of the rim" : "rim") of loupe \(loupe + 1) is "
                + Self.sizeWords(part, pixels)
        case .loupeMoved(let part, let loupe, let x, let y):
            "\(Self.name(part, loupe)) is shifted by \(Self.text(x, y)) px"
        case .loupeMissing(let part, let loupe): "\(Self.name(part, loupe)) is missing"
        case .loupeZoom(let loupe, let drawn, let stated):
            "loupe \(loupe + 1) magnifies \(Self.text(drawn))×, not \(Self.text(stated))×"
        case .loupeColor(let part, let loupe, let drawn, let stated):
            "\(Self.name(part, loupe)) is drawn in \(Self.hex(drawn)), not \(Self.hex(stated))"
        case .loupeContent(let loupe): "only what loupe \(loupe + 1) shows differs"
        default: ""
        }
    }

    private static func sizeWords(_ part: LoupePart, _ pixels: Double) -> String {
        let size = text(abs(pixels))
        return switch part {
        case .rimWidth: "\(size) px too \(pixels > 0 ? "wide" : "narrow")"
        case .shadow: "blurred by \(size) px too \(pixels > 0 ? "much" : "little")"
        case .loupe, .rim, .rimEdge, .hairline, .content: "\(size) px too far \(pixels > 0 ? "out" : "in")"
        }
    }

    private static func name(_ part: LoupePart, _ loupe: Int) -> String {
        switch part {
        case .loupe: "loupe \(loupe + 1)"
        case .content: "what loupe \(loupe + 1) shows"
        case .rim, .rimWidth, .rimEdge: "the rim of loupe \(loupe + 1)"
        case .hairline, .shadow: "the \(part.rawValue) of loupe \(loupe + 1)"
        }
    }

    private var layerSentence: String {
        switch self {
        case .layerMoved(let part, let layer, let x, let y):
            "\(Self.name(part, layer)) is shifted by \(Self.text(x, y)) px"
        case .layerMissing(let part, let layer): "\(Self.name(part, layer)) is missing"
        case .layerEdge(let layer, let pixels):
            "the edge of layer \(layer + 1) is \(Self.text(abs(pixels))) px too far \(pixels > 0 ? "out" : "in")"
        case .layerCorners(let layer, let pixels):
            "the corners of layer \(layer + 1) are rounded by \(Self.text(abs(pixels))) px too \(pixels > 0 ? "much" : "little")"
        case .layerOpacity(let layer, let drawn, let stated):
            "layer \(layer + 1) has an opacity of \(Self.text(drawn)), not \(Self.text(stated))"
        default: ""
        }
    }

    private static func name(_ part: LayerPart, _ layer: Int) -> String {
        switch part {
        case .layer: "layer \(layer + 1)"
        case .page: "layer \(layer + 1) without its ink"
        case .ink: "the ink on layer \(layer + 1)"
        }
    }

    private static func sentence(evenly steps: [Int]) -> String {
        if Set(steps).count == 1 { return "colours differ evenly by \(abs(steps[0])): another colour profile?" }
        let named = zip(["red", "green", "blue"], steps).filter { $1 != 0 }.map { "\($0) by \($1)" }
        return "colours differ evenly, \(named.joined(separator: ", ")): another colour profile?"
    }

    /// To a hundredth.
    private static func text(_ number: Double) -> String {
        let rounded = (number * 100).rounded() / 100
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }

    private static func text(_ x: Double, _ y: Double) -> String { "(\(text(x)), \(text(y)))" }

    private static func hex(_ color: [UInt8]) -> String {
        let bytes = color[3] == 255 ? color.dropLast() : color[...]
        return "#" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension PictureRegion {
    fileprivate var edgeWords: String {
        switch self {
        case .pageEdge: "the page's edge"
        case .corner: "the page's corners"
        case .rim: "the rims of loupes"
        case .loupeInterior: "edges inside loupes"
        case .page: "edges on the page"
        case .background: "edges of the background"
        }
    }
}

extension PictureChange {
    /// What two pictures that differ say by themselves: that the picture is shifted, that its colours are, or that only
    /// anti-aliasing differs; nil where none of these is the case.
    ///
    /// - Parameter difference: the result of comparing these two pictures.
    public static func find(_ difference: Difference, reference: Image, actual: Image) -> PictureChange? {
        guard difference.differingPixels > 0, difference.excluded == nil else { return nil }
        let pair = PicturePair(reference, actual)
        return pair.withWords { a, b in
            let pixels = ChangedPixels(a, b, difference)
            // What does not fit is counted in a sentence of its own.
            return pixels.evenColors(leastFitting: 0.9) ?? pixels.oneColor ?? pixels.shift ?? pixels.onlyAntialiasing
        }
    }

    /// Whether colours differ evenly.
    ///
    /// - Parameter leastFitting: How many pixels have to fit, as a part of those that could change.
    package static func evenColors(
        _ difference: Difference, reference: Image, actual: Image, leastFitting: Double
    ) -> PictureChange? {
        PicturePair(reference, actual).withWords {
            ChangedPixels($0, $1, difference).evenColors(leastFitting: leastFitting)
        }
    }
}

extension PictureChange {
    /// The actual picture without a change of the whole picture; nil where that can't be undone exactly. Pixels that nothing
    /// is known about are the reference's.
    package func undone(in actual: Image, reference: Image) -> Image? {
        var image = actual
        switch self {
        case .evenColors(let red, let green, let blue):
            let (steps, before) = ([red, green, blue], reference.pixels)
            image.pixels.withUnsafeMutableBufferPointer { pixels in
                for index in pixels.indices where index % 4 != 3 {
                    // A channel that was cut off may have been anything beyond.
                    let expected = min(max(Int(before[index]) + steps[index % 4], 0), 255)
                    pixels[index] =
                        Int(pixels[index]) == expected
                        ? before[index]
                        : UInt8(min(max(Int(pixels[index]) - steps[index % 4], 0), 255))
                }
            }
        case .shifted(let shift):
            guard shift.x == shift.x.rounded(), shift.y == shift.y.rounded() else { return nil }
            let (x, y) = (Int(shift.x), Int(shift.y))
            image.pixels = reference.pixels
            let columns = max(0, -x)..<max(min(actual.width, actual.width - x), max(0, -x))
            for row in 0..<actual.height where (0..<actual.height).contains(row + y) {
                let (to, from) = (row * actual.width, (row + y) * actual.width + x)
                image.pixels.replaceSubrange(
                    (to + columns.lowerBound) * 4..<(to + columns.upperBound) * 4,
                    with: actual.pixels[(from + columns.lowerBound) * 4..<(from + columns.upperBound) * 4])
            }
        default: return nil
        }
        return image
    }
}

/// Tests of the pixels that differ.
private struct ChangedPixels {
    let reference: PixelGrid
    let actual: PixelGrid
    let difference: Difference

    init(_ reference: PixelGrid, _ actual: PixelGrid, _ difference: Difference) {
        (self.reference, self.actual, self.difference) = (reference, actual, difference)
    }

    private var pixelCount: Int { reference.width * reference.height }

    private static func channels(_ word: UInt32) -> SIMD4<Int32> {
        SIMD4(Int32(word & 255), Int32(word >> 8 & 255), Int32(word >> 16 & 255), Int32(word >> 24))
    }

    /// Calls `body` with both pixels of each place that differs, until it answers false.
    private func forEachDiffering(_ body: (_ column: Int, _ row: Int) -> Bool) {
        for run in difference.runs {
            for column in run.columns where !body(column, Int(run.row)) { return }
        }
    }

    // MARK: - Colours

    /// How many pixels differ evenly at least, as a part of all.
    private static let leastEven = 0.1

    /// - Parameter leastFitting: How many have to fit, as a part of those that could change.
    func evenColors(leastFitting: Double) -> PictureChange? {
        guard difference.differingPixels >= 64,
            Double(difference.differingPixels) >= Self.leastEven * Double(pixelCount)
        else { return nil }
        // The most frequent step of each channel, among pixels where it could not be cut off.
        var counts = [Int](repeating: 0, count: 3 * 511)
        forEachDiffering { column, row in
            let (a, b) = (Self.channels(reference[column, row]), Self.channels(actual[column, row]))
            for channel in 0..<3 where b[channel] > 0 && b[channel] < 255 {
                counts[channel * 511 + Int(b[channel] - a[channel]) + 255] += 1
            }
            return true
        }
        let steps = (0..<3).map { channel in
            ((0..<511).max { counts[channel * 511 + $0] < counts[channel * 511 + $1] } ?? 255) - 255
        }
        guard steps.contains(where: { $0 != 0 }) else { return nil }
        let step = SIMD4(Int32(steps[0]), Int32(steps[1]), Int32(steps[2]), 0)
        var (judged, fitting) = (0, 0)
        let mostOthers = Int((1 - leastFitting) * Double(pixelCount))
        var colors = Set<UInt32>()
        for index in 0..<pixelCount {
            let (from, to) = (UInt32(littleEndian: reference.words[index]), UInt32(littleEndian: actual.words[index]))
            let (a, b) = (Self.channels(from), Self.channels(to))
            let raised = a &+ step
            let expected = pointwiseMin(pointwiseMax(raised, SIMD4(repeating: 0)), SIMD4(repeating: 255))
            let off = pointwiseMax(b &- expected, expected &- b)
            // A colour that is cut off, as white is, says nothing where it stays.
            if from == to, raised != expected { continue }
            judged += 1
            guard off.max() <= 1 else {
                if judged - fitting > mostOthers { return nil }
                continue
            }
            fitting += 1
            if colors.count < Self.leastColors { colors.insert(from) }
        }
        // Where few colours changed, that one of them did says more.
        guard Double(fitting) >= Self.leastEven * Double(pixelCount), colors.count >= Self.leastColors,
            Double(fitting) >= leastFitting * Double(judged)
        else { return nil }
        return .evenColors(red: steps[0], green: steps[1], blue: steps[2])
    }

    private static let leastColors = 8

    var oneColor: PictureChange? {
        guard difference.differingPixels >= 16 else { return nil }
        var counts: [UInt64: Int] = [:]
        forEachDiffering { column, row in
            counts[UInt64(reference[column, row]) << 32 | UInt64(actual[column, row]), default: 0] += 1
            return counts.count < 4096
        }
        guard counts.count < 4096, let (key, count) = counts.max(by: { $0.value < $1.value }),
            Double(count) >= 0.9 * Double(difference.differingPixels)
        else { return nil }
        let (from, to) = (UInt32(truncatingIfNeeded: key >> 32), UInt32(truncatingIfNeeded: key))
        // It is the colour that changed only where it changed everywhere.
        let all = reference.words.count { UInt32(littleEndian: $0) == from }
        guard Double(count) >= 0.9 * Double(all) else { return nil }
        // Pixels of a soft edge often have one colour too, but they fill no area.
        var inner = 0
        forEachDiffering { column, row in
            if isInside(column, row, of: from) { inner += 1 }
            return true
        }
        guard 4 * inner >= count else { return nil }
        return .oneColor(from: Self.bytes(from), to: Self.bytes(to))
    }

    /// Whether a pixel and its four neighbours have a colour in the reference.
    private func isInside(_ column: Int, _ row: Int, of color: UInt32) -> Bool {
        guard column > 0, row > 0, column + 1 < reference.width, row + 1 < reference.height else { return false }
        return [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)].allSatisfy { reference[column + $0.0, row + $0.1] == color }
    }

    private static func bytes(_ word: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }

    // MARK: - A shift

    /// The part of the edges that a shift has to move: one that some edges stand out of is that of a part of the picture.
    private static let leastMovedEdges = 0.9
    /// The side of the block in the middle from which a shift is told, in pixels.
    private static let reach = 512

    var shift: PictureChange? {
        guard movesEdges else { return nil }
        let (before, after) = (LumaPlane(reference), LumaPlane(actual))
        guard let found = Shift.find(before, after, reach: Self.reach), found.explained >= 0.6,
            moves(before, after, by: found) >= Self.leastMovedEdges
        else { return nil }
        return .shifted(found)
    }

    /// The part of the pixels that a shift would change clearly, and that do change towards what the shift makes of them.
    private func moves(_ before: LumaPlane, _ after: LumaPlane, by shift: Shift) -> Double {
        let (wholeX, wholeY) = (Int(shift.x.rounded(.down)), Int(shift.y.rounded(.down)))
        let (partX, partY) = (Float(shift.x - Double(wholeX)), Float(shift.y - Double(wholeY)))
        func value(_ x: Int, _ y: Int) -> Float { before.values[y * before.width + x] }
        var (expected, found) = (0, 0)
        for y in stride(from: max(wholeY + 1, 0), to: min(before.height, before.height + wholeY), by: 1) {
            for x in max(wholeX + 1, 0)..<max(min(before.width, before.width + wholeX), wholeX + 1, 0) {
                let (left, top) = (x - wholeX - 1, y - wholeY - 1)
                let upper = value(left, top) * partX + value(left + 1, top) * (1 - partX)
                let lower = value(left, top + 1) * partX + value(left + 1, top + 1) * (1 - partX)
                let step = upper * partY + lower * (1 - partY) - value(x, y)
                guard abs(step) >= 16 else { continue }
                expected += 1
                if (after.values[y * after.width + x] - value(x, y)) * (step > 0 ? 1 : -1) >= 0.3 * abs(step) {
                    found += 1
                }
            }
        }
        return expected >= 16 ? Double(found) / Double(expected) : 0
    }

    /// A cheap test that most pictures fail: whether some of the edges changed at all.
    private var movesEdges: Bool {
        var (edges, moved) = (0, 0)
        for row in stride(from: 1, to: reference.height - 1, by: max(reference.height / 128, 1)) {
            for column in stride(from: 1, to: reference.width - 1, by: 1) {
                let word = reference[column, row]
                let (left, above) = (reference[column - 1, row], reference[column, row - 1])
                if word == left, word == above { continue }
                let (here, beside, over) = (Self.channels(word), Self.channels(left), Self.channels(above))
                let across = pointwiseMax(here, beside) &- pointwiseMin(here, beside)
                let down = pointwiseMax(here, over) &- pointwiseMin(here, over)
                guard pointwiseMax(across, down).max() >= 24 else { continue }
                edges += 1
                if reference[column, row] != actual[column, row] { moved += 1 }
            }
        }
        return edges >= 16 && Double(moved) >= 0.3 * Double(edges)
    }

    // MARK: - Anti-aliasing

    var onlyAntialiasing: PictureChange? {
        guard difference.differingPixels >= 4 else { return nil }
        var isSoft = true
        forEachDiffering { column, row in
            isSoft = isBetweenNeighbours(column, row)
            return isSoft
        }
        guard isSoft else { return nil }
        if difference.regions.isEmpty {
            let test = AntialiasingTest(reference: reference, actual: actual)
            forEachDiffering { column, row in
                isSoft = test.isAntialiased(column, row)
                return isSoft
            }
            return isSoft ? .onlySoftPixels : nil
        }
        let regions = difference.regions.filter { $0.differingPixels > 0 }.map(\.region)
        let edges: Set<PictureRegion> = [.pageEdge, .corner, .rim]
        return edges.isSuperset(of: regions) ? .onlyAntialiasing(regions) : nil
    }

    /// Whether the actual pixel is a mixture of what lies around it in the reference, as anti-aliasing is.
    private func isBetweenNeighbours(_ column: Int, _ row: Int) -> Bool {
        var (low, high) = (SIMD4<Int32>(repeating: 255), SIMD4<Int32>(repeating: 0))
        for y in max(row - 1, 0)...min(row + 1, reference.height - 1) {
            for x in max(column - 1, 0)...min(column + 1, reference.width - 1) {
                let color = Self.channels(reference[x, y])
                (low, high) = (pointwiseMin(low, color), pointwiseMax(high, color))
            }
        }
        let color = Self.channels(actual[column, row])
        return (color &- low).min() >= -2 && (high &- color).min() >= -2
    }
}
