/// Values that were made for a frame. Those that the next frame needs too are used again, and all others are dropped.
package struct FrameCache<Key: Hashable, Value> {
    /// The values of the last frame; nil for keys that have none.
    package private(set) var known: [Key: Value?] = [:]

    /// Without any value.
    package init() {}

    /// The value of each key.
    /// - Parameter make: a new value; nil where the key has none.
    package mutating func values<Failure: Error>(
        of keys: [Key], _ make: (Key) throws(Failure) -> Value?
    ) throws(Failure) -> [Value?] {
        var used: [Key: Value?] = [:]
        for key in keys where used[key] == nil {
            let value = if let old = known[key] { old } else { try make(key) }
            used[key] = .some(value)
        }
        known = used
        return keys.map { used[$0] ?? nil }
    }

    /// Drops the values of some keys.
    package mutating func remove(where isGone: (Key) -> Bool) { known = known.filter { !isGone($0.key) } }
}
