/// A share of the cases, for machines that divide them among themselves.
public struct Shard: Hashable, Sendable, CustomStringConvertible {
    /// 1…count.
    public let index: Int
    public let count: Int

    public static let all = Shard(index: 1, count: 1)

    private init(index: Int, count: Int) {
        self.index = index
        self.count = count
    }

    /// Reads `i/n`, 1 ≤ i ≤ n; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1], count >= 1, 1...count ~= index else {
            return nil
        }
        self.init(index: index, count: count)
    }

    public var description: String { "\(index)/\(count)" }

    /// Every n-th, from the i-th on, so that neighbours, which take alike long, go to different machines.
    public func share<Element>(of elements: [Element]) -> [Element] {
        stride(from: index - 1, to: elements.count, by: count).map { elements[$0] }
    }
}
