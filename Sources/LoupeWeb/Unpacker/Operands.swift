// tools/build-web moves operands out of the code before compression: a packed module holds the code, then all
// local-variable indices, then all memory offsets. Separated, they compress a tenth better.

/// Moves the local-variable indices and memory offsets of a packed module back into its code.
struct Operands {
    private var code: UnsafeMutablePointer<UInt8>
    private var locals: UnsafeMutablePointer<UInt8>
    private var offsets: UnsafeMutablePointer<UInt8>
    private var target: UnsafeMutablePointer<UInt8>
    private let end: UnsafeMutablePointer<UInt8>

    /// - Parameters:
    ///   - start: a module without these operands, then the indices, and then the offsets.
    ///   - size: the number of bytes of all three.
    ///   - codeCount: the number of bytes before the indices.
    ///   - localsCount: the number of bytes of the indices.
    ///   - target: where the module is written.
    init(
        _ start: UnsafeMutablePointer<UInt8>, size: Int, codeCount: Int, localsCount: Int,
        to target: UnsafeMutablePointer<UInt8>
    ) {
        (code, locals, self.target) = (start, start + codeCount, target)
        offsets = locals + localsCount
        end = target + size
    }

    /// Writes the module. For damaged data the output is arbitrary but never longer than announced.
    mutating func putBack() {
        bytes(8)
        while target < end {
            let section = byte()
            let size = number()
            guard section == 10 else {
                bytes(size)
                continue
            }
            for _ in 0..<number() { function() }
        }
    }

    private mutating func function() {
        let size = number()
        guard size <= end - target else {
            target = end
            return
        }
        let end = target + size
        for _ in 0..<number() {
            numbers(1)
            bytes(1)
        }
        while target < end {
            switch byte() {
            case 0x20...0x22: local()
            case 0x28...0x3e:
                numbers(1)
                offset()
            case 0x02...0x04, 0x0c, 0x0d, 0x10, 0x23, 0x24, 0x41, 0x42: numbers(1)
            case 0x11: numbers(2)
            case 0x0e: numbers(number() + 1)
            case 0x3f, 0x40: bytes(1)
            case 0x43: bytes(4)
            case 0x44: bytes(8)
            case 0xfc:
                let kind = number()
                bytes(kind == 10 ? 2 : kind == 11 ? 1 : 0)
            default: break
            }
        }
    }

    private mutating func local() {
        swap(&code, &locals)
        numbers(1)
        swap(&code, &locals)
    }

    private mutating func offset() {
        swap(&code, &offsets)
        numbers(1)
        swap(&code, &offsets)
    }

    private mutating func byte() -> UInt8 {
        guard target < end else { return 0 }
        target.pointee = code.pointee
        code += 1
        target += 1
        return target[-1]
    }

    private mutating func bytes(_ count: Int) {
        for _ in 0..<max(0, min(count, end - target)) { _ = byte() }
    }

    /// A number in LEB128.
    private mutating func number() -> Int {
        var (value, place) = (0, 0)
        while true {
            let byte = byte()
            value |= Int(byte & 0x7f) << place
            place += 7
            guard byte >= 0x80, place < 64 else { return value }
        }
    }

    private mutating func numbers(_ count: Int) {
        for _ in 0..<max(0, min(count, end - target)) { _ = number() }
    }
}
