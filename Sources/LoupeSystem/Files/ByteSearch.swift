extension ArraySlice<UInt8> {
    /// The index of the first byte of a word, which is not empty; nil where the text does not hold it. `firstRange(of:)`
    /// takes many times as long.
    package func firstIndex(of word: String) -> Int? {
        let word = Array(word.utf8)
        var rest = self
        while let start = rest.firstIndex(of: word[0]) {
            rest = rest[start...]
            if rest.starts(with: word) { return start }
            rest = rest.dropFirst()
        }
        return nil
    }
}
