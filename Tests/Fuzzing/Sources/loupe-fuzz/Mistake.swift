/// Reads behind an array where an input begins with a certain word.
///
/// Nobody guesses the word; told which branches each input takes, libFuzzer finds it letter by letter. And only
/// AddressSanitizer sees the read.
func makeMistake(_ bytes: [UInt8]) {
    for (index, letter) in "Loupe".utf8.enumerated() {
        guard index < bytes.count, bytes[index] == letter else { return }
    }
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    copy.initialize(from: bytes, count: bytes.count)
    print(copy[bytes.count])
}
