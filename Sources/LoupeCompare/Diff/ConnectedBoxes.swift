import LoupeBase

/// A block of pixels and how many of them differ.
public struct Box: Hashable, Sendable {
    /// In pixels of the pictures.
    public let bounds: PixelRect
    /// How many pixels of the block differ.
    public let differingPixels: Int
}

extension Box: CustomStringConvertible {
    /// `x,y,width,height`, the argument of `--ignore`.
    public var description: String { "\(bounds.minX),\(bounds.minY),\(bounds.width)x\(bounds.height)" }
}

/// Neighbouring pixels of one row that differ. Sides of pictures are below 2³¹.
struct DifferingRun: Hashable, Sendable {
    let row: Int32
    /// The first column.
    let start: Int32
    /// The column after the last.
    var end: Int32

    var columns: Range<Int> { Int(start)..<Int(end) }
    var count: Int { Int(end - start) }
}

/// Finds the bounding boxes of differing pixels that touch each other at sides or corners.
enum ConnectedBoxes {
    /// The boxes with the most differing pixels first. Equal ones are sorted from top to bottom, then from left to right.
    ///
    /// - Parameter runs: The differing pixels, in reading order.
    static func find(in runs: [DifferingRun]) -> [Box] {
        var groups = DisjointSets(count: runs.count)
        var above = 0..<0
        var row = 0..<0
        for index in runs.indices {
            if row.isEmpty || runs[index].row != runs[row.lowerBound].row {
                let isNext = !row.isEmpty && runs[index].row == runs[row.lowerBound].row + 1
                above = isNext ? row : 0..<0
                row = index..<index
            }
            row = row.lowerBound..<(index + 1)
            // A run of the row above that ends before this run starts can't touch any later run either.
            while let first = above.first, runs[first].end < runs[index].start {
                above = (first + 1)..<above.upperBound
            }
            for other in above {
                guard runs[other].start <= runs[index].end else { break }
                groups.join(other, index)
            }
        }
        return boxes(of: runs, &groups).sorted(by: isLarger)
    }

    private static func boxes(of runs: [DifferingRun], _ groups: inout DisjointSets) -> [Box] {
        var boxes: [Box] = []
        // A set's name is the index of its first run, which comes before the others.
        var boxIndices = [Int32](repeating: 0, count: runs.count)
        for (index, run) in runs.enumerated() {
            let name = groups.name(of: index)
            if name == index {
                boxIndices[index] = Int32(boxes.count)
                boxes.append(Box(run))
            } else {
                boxes[Int(boxIndices[name])] = boxes[Int(boxIndices[name])].joined(with: Box(run))
            }
        }
        return boxes
    }

    private static func isLarger(_ a: Box, _ b: Box) -> Bool {
        if a.differingPixels != b.differingPixels { return a.differingPixels > b.differingPixels }
        return (a.bounds.minY, a.bounds.minX) < (b.bounds.minY, b.bounds.minX)
    }
}

extension Box {
    fileprivate init(_ run: DifferingRun) {
        let bounds = PixelRect(minX: Int(run.start), minY: Int(run.row), maxX: Int(run.end), maxY: Int(run.row) + 1)
        self.init(bounds: bounds, differingPixels: run.count)
    }

    fileprivate func joined(with other: Box) -> Box {
        Box(
            bounds: .union(of: [bounds, other.bounds]),
            differingPixels: differingPixels + other.differingPixels)
    }
}

/// Sets of the numbers 0 ..< count that can be joined (union–find). The name of a set is its smallest member.
private struct DisjointSets {
    private var parents: [Int32]

    init(count: Int) {
        parents = (0..<Int32(count)).map { $0 }
    }

    /// The name of the set that contains a member.
    mutating func name(of member: Int) -> Int {
        var member = member
        while Int(parents[member]) != member {
            // Path halving: the next search takes half as many steps.
            parents[member] = parents[Int(parents[member])]
            member = Int(parents[member])
        }
        return member
    }

    /// Joins the sets of two members.
    mutating func join(_ a: Int, _ b: Int) {
        let (a, b) = (name(of: a), name(of: b))
        parents[max(a, b)] = Int32(min(a, b))
    }
}
