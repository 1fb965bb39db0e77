/// Differing pixels as a set, looked at in the plainest ways.
struct SlowMap {
    private let places: Set<[Int]>

    init(_ places: [[Int]]) { self.places = Set(places) }

    struct Component {
        var count = 0
        var minX = Int.max
        var minY = Int.max
        var maxX = Int.min
        var maxY = Int.min
    }

    /// By flood fill over all eight neighbours.
    func components() -> [Component] {
        var rest = places
        var found: [Component] = []
        while let first = rest.first {
            var component = Component()
            var open = [first]
            rest.remove(first)
            while let place = open.popLast() {
                component.count += 1
                (component.minX, component.maxX) = (min(component.minX, place[0]), max(component.maxX, place[0]))
                (component.minY, component.maxY) = (min(component.minY, place[1]), max(component.maxY, place[1]))
                for dx in -1...1 {
                    for dy in -1...1 {
                        if let next = rest.remove([place[0] + dx, place[1] + dy]) { open.append(next) }
                    }
                }
            }
            found.append(component)
        }
        return found
    }
}
