/// Writes the numbers and bytes of a message, little-endian and without gaps.
package struct MessageWriter {
    package private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: how many bytes follow, about.
    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    package mutating func write(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    package mutating func write(_ number: Double) { write(number.bitPattern) }

    /// The bytes take the rest of the message.
    package mutating func write(rest: some Sequence<UInt8>) { bytes += rest }
}

/// Reads a message. The other process may have written anything.
package struct MessageReader {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The next number; nil where the message is too short.
    package mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        let size = MemoryLayout<Number>.size
        guard rest.count >= size else { return nil }
        let number = rest.prefix(size).reversed().reduce(Number(0)) { $0 << 8 | Number(truncatingIfNeeded: $1) }
        rest = rest.dropFirst(size)
        return number
    }

    package mutating func double() -> Double? { number(UInt64.self).map(Double.init(bitPattern:)) }

    /// The next bytes; nil where the message is too short.
    package mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Everything that was not read yet.
    package mutating func takeRest() -> ArraySlice<UInt8> {
        defer { rest = [] }
        return rest
    }
}

/// The first message of a helper process.
struct HelperGreeting: Equatable {
    /// Changes with the form of any message.
    private static let version: UInt32 = 1

    /// Whether the kernel limits which files it opens, and which system calls it makes.
    let locksFiles, locksCalls: Bool
    /// The address space of its program and libraries, in bytes; 0 where that is unknown.
    let addressSpace: Int

    init(locksFiles: Bool, locksCalls: Bool, addressSpace: Int) {
        (self.locksFiles, self.locksCalls, self.addressSpace) = (locksFiles, locksCalls, addressSpace)
    }

    /// Nil for what no helper process of this version writes.
    init?(_ bytes: [UInt8]) {
        var reader = MessageReader(bytes)
        guard reader.number(UInt32.self) == Self.version, let locks = reader.number(UInt8.self), locks < 4,
            let size = reader.number(UInt64.self), size < 1 << 56, reader.takeRest().isEmpty
        else { return nil }
        self.init(locksFiles: locks & 1 != 0, locksCalls: locks & 2 != 0, addressSpace: Int(size))
    }

    var bytes: [UInt8] {
        var writer = MessageWriter()
        writer.write(Self.version)
        writer.write(UInt8(locksFiles ? 1 : 0) | (locksCalls ? 2 : 0))
        writer.write(UInt64(addressSpace))
        return writer.bytes
    }
}
