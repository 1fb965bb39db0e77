/// Sets of the numbers 0 ..< count that can be joined (union–find); each is named by its smallest member.
struct DisjointSets {
    private var parents: [Int32]

    init(count: Int) {
        parents = (0..<Int32(count)).map(\.self)
    }

    mutating func name(of member: Int) -> Int {
        var member = member
        while Int(parents[member]) != member {
            // Halves the way for the next one who asks.
            parents[member] = parents[Int(parents[member])]
            member = Int(parents[member])
        }
        return member
    }

    mutating func join(_ a: Int, _ b: Int) {
        let (a, b) = (name(of: a), name(of: b))
        parents[max(a, b)] = Int32(min(a, b))
    }
}
