import LoupeCompare

/// The pictures of a page, each stored once: PNGs in base64, as results have them.
struct PagePictures {
    /// The PNGs in base64, by the picture's number.
    private(set) var pictures: [String] = []
    /// The numbers of each case's pictures by kind; a kind that a case lacks is absent.
    private(set) var numbers: [[(kind: String, number: Int)]] = []

    init(_ cases: [CasePictures?]) {
        var known: [String: Int] = [:]
        for given in cases {
            let kinds = [
                ("reference", given?.reference), ("actual", given?.actual), ("difference", given?.difference),
                ("errors", given?.errorMap),
            ]
            numbers.append(
                kinds.compactMap { kind, text in
                    guard let text else { return nil }
                    let number = known[text] ?? pictures.count
                    if known.updateValue(number, forKey: text) == nil { pictures.append(text) }
                    return (kind, number)
                })
        }
    }
}
