/// One of several equal shares of a list, for runs that are split among machines.
package struct Shard: Equatable, Sendable, CustomStringConvertible {
    /// 1…count.
    private let index: Int
    /// How many shares there are.
    private let count: Int

    /// The only share of a run that is not split.
    package static let all = Shard(index: 1, count: 1)

    private init(index: Int, count: Int) { (self.index, self.count) = (index, count) }

    /// Reads `i/n` with 1 ≤ i ≤ n; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1], index > 0, index <= count else {
            return nil
        }
        self.init(index: index, count: count)
    }

    /// `i/n`.
    package var description: String { "\(index)/\(count)" }

    /// Every n-th element from the i-th on. Neighbouring elements take about the same time, so the shares do too.
    package func share<Element>(of elements: [Element]) -> [Element] {
        stride(from: index - 1, to: elements.count, by: count).map { elements[$0] }
    }
}
