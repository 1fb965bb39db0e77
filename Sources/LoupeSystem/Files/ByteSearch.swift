import CLinux

extension ArraySlice<UInt8> {
    /// The index of the first byte of a word, which is not empty; nil where the text does not hold it. `firstRange(of:)`
    /// takes many times as long.
    package func firstIndex(of word: String) -> Int? {
        let word = Array(word.utf8)
        return withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let hit = memmem(start, bytes.count, word, word.count) else {
                return nil
            }
            return startIndex + (UnsafeRawPointer(hit) - start)
        }
    }

    /// How often a word that is not empty stands in the text.
    package func count(of word: String) -> Int {
        var (count, rest) = (0, self)
        while let place = rest.firstIndex(of: word) { (count, rest) = (count + 1, rest[(place + word.utf8.count)...]) }
        return count
    }
}
