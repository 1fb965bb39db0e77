import LoupeGeometry

/// The bounding boxes of pixels that differ and touch each other, at sides or corners.
enum ConnectedBoxes {
    /// Largest first, by differing pixels; of equals the one that starts further up, then further left.
    /// - Parameter runs: in the order of rows and columns.
    static func find(in runs: [DifferingRun]) -> [Box] {
        var groups = DisjointSets(count: runs.count)
        var above = 0..<0
        var row = 0..<0
        for place in runs.indices {
            if row.isEmpty || runs[place].row != runs[row.lowerBound].row {
                let isNext = !row.isEmpty && runs[place].row == runs[row.lowerBound].row + 1
                above = isNext ? row : 0..<0
                row = place..<place
            }
            row = row.lowerBound..<(place + 1)
            // Runs of the row above that end before this one starts can't touch any later one either.
            while let first = above.first, runs[first].end < runs[place].start {
                above = (first + 1)..<above.upperBound
            }
            for other in above {
                guard runs[other].start <= runs[place].end else { break }
                groups.join(other, place)
            }
        }
        return boxes(of: runs, &groups).sorted(by: isLarger)
    }

    private static func boxes(of runs: [DifferingRun], _ groups: inout DisjointSets) -> [Box] {
        var boxes: [Box] = []
        // A set is named by its first run, which comes before the others.
        var places = [Int32](repeating: 0, count: runs.count)
        for (index, run) in runs.enumerated() {
            let name = groups.name(of: index)
            if name == index {
                places[index] = Int32(boxes.count)
                boxes.append(Box(run))
            } else {
                boxes[Int(places[name])] = boxes[Int(places[name])].joined(with: Box(run))
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
        let (a, b) = (bounds, other.bounds)
        return Box(
            bounds: PixelRect(
                minX: min(a.minX, b.minX), minY: min(a.minY, b.minY), maxX: max(a.maxX, b.maxX),
                maxY: max(a.maxY, b.maxY)),
            differingPixels: differingPixels + other.differingPixels)
    }
}
