/// Writes the numbers and bytes of a message, little-endian and without gaps.
package struct MessageWriter {
    package private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: how many bytes follow, about.
    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    package mutating func write(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    package mutating func write(_ numbers: Double...) {
        for number in numbers { write(number.bitPattern) }
    }

    /// Red, green, blue and alpha.
    package mutating func write(_ color: SIMD4<UInt8>) { bytes += color.indices.map { color[$0] } }

    /// Bytes with their number before them.
    package mutating func write(block: some Collection<UInt8>) {
        write(UInt64(block.count))
        bytes += block
    }

    /// The bytes take the rest of the message.
    package mutating func write(rest: some Sequence<UInt8>) { bytes += rest }
}

/// Reads a message, which may hold anything. What a message that is too short lacks is read as 0 or empty.
package struct MessageReader {
    private var rest: ArraySlice<UInt8>
    private var isShort = false

    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Whether all that was read was there, and nothing is left.
    package var isWhole: Bool { !isShort && rest.isEmpty }

    package mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type = Number.self) -> Number {
        let bytes = take(MemoryLayout<Number>.size)
        return bytes.isEmpty ? 0 : Number(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(as: Number.self) })
    }

    package mutating func double() -> Double { Double(bitPattern: number()) }

    /// Red, green, blue and alpha.
    package mutating func color() -> SIMD4<UInt8> { SIMD4(number(), number(), number(), number()) }

    /// The next bytes, with their number before them.
    package mutating func block() -> ArraySlice<UInt8> { take(Int(clamping: number(UInt64.self))) }

    package mutating func text() -> String { String(decoding: block(), as: UTF8.self) }

    /// A number of 32 bits, and so many elements. A list that is longer than its message ends with the message.
    package mutating func list<Element>(_ read: (inout MessageReader) -> Element) -> [Element] {
        var (elements, left): ([Element], _) = ([], number(UInt32.self))
        while left > 0, !isShort {
            elements.append(read(&self))
            left -= 1
        }
        return elements
    }

    /// Everything that was not read yet.
    package mutating func takeRest() -> ArraySlice<UInt8> { take(rest.count) }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        guard !isShort, count <= rest.count else {
            isShort = true
            return []
        }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

/// The first message of a helper process.
package struct HelperGreeting {
    /// Changes with the form of any message.
    private static let version: UInt32 = 6

    /// The address space of its program and libraries, in bytes; 0 where that is unknown.
    let addressSpace: Int
    let sandbox: Sandbox

    package init(addressSpace: Int, _ sandbox: Sandbox) { (self.addressSpace, self.sandbox) = (addressSpace, sandbox) }

    /// Nil for what no helper process of this version writes.
    init?(_ bytes: [UInt8]) {
        var reader = MessageReader(bytes)
        let (version, size) = (reader.number(UInt32.self), reader.number(UInt64.self))
        sandbox = Sandbox(limitsFiles: reader.number(UInt8.self) != 0, limitsCalls: reader.number(UInt8.self) != 0)
        guard version == Self.version, size < 1 << 56, reader.isWhole else { return nil }
        addressSpace = Int(size)
    }

    package var bytes: [UInt8] {
        var writer = MessageWriter()
        writer.write(Self.version)
        writer.write(UInt64(addressSpace))
        writer.write(UInt8(sandbox.limitsFiles ? 1 : 0))
        writer.write(UInt8(sandbox.limitsCalls ? 1 : 0))
        return writer.bytes
    }
}
