import Testing

@testable import LoupePipeline

@Suite struct ShardTests {
    @Test("Shares are disjoint, complete and alike in size; anything but i/n is refused", arguments: 1...7)
    func shards(count: Int) throws {
        let shares = try (1...count).map { try #require(Shard("\($0)/\(count)")).share(of: Array(0..<23)) }
        #expect(shares.flatMap(\.self).sorted() == Array(0..<23))
        let sizes = shares.map(\.count)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
        for text in ["0/2", "3/2", "1", "1/0", "a/2", "1/2/3", "-1/2", ""] { #expect(Shard(text) == nil) }
    }
}
