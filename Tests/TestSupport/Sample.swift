import Glibc

/// How much of a long list of cases the tests try.
public enum Sample {
    /// Whether the tests try everything, because `LOUPE_LONG_TESTS` is set, as `tools/test --long` does.
    public static let isWhole = getenv("LOUPE_LONG_TESTS") != nil

    /// Every `step`-th of some cases, or all of them if the tests try everything.
    ///
    /// - Parameter start: The index of the first, modulo `step`. Others in each call try other cases.
    public static func of<Cases: Collection>(_ cases: Cases, every step: Int, from start: Int = 0) -> [Cases.Element] {
        isWhole ? Array(cases) : cases.enumerated().filter { $0.offset % step == start % step }.map(\.element)
    }

    /// How often to try something at random: `sample` times, or `whole` times if the tests try everything.
    public static func count(_ sample: Int, whole: Int) -> Int { isWhole ? whole : sample }
}

/// The generator of Steele, Lea and Flood, so that random tests are the same in every run.
public struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    /// A generator; equal seeds give equal numbers.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
