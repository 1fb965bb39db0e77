import LoupeFiles
import LoupeImaging
import LoupeJSON
import LoupeVerify

/// The pictures of a page, each stored once and as small as it can be, so that hundreds of failed cases make a file that
/// can be sent.
///
/// They are lossless WebPs. Most pictures resemble another one of the page: the actual picture its reference, a reference
/// the page that other references show too. Such a picture is stored as a change of that one. The script composes it with
/// operations that are exact for 8-bit channels, so what a reader sees is the picture itself. Only where the page would be
/// too large is what surrounds the differing pixels stored with losses (`ApproximatePages`).
struct PagePictures {
    /// How a picture is made from another one, whose size it has.
    struct Change: Hashable, Sendable {
        enum Kind: String, Sendable {
            /// Both are opaque. The stored picture has two parts below each other, each of the block's size: what is added
            /// to each channel, and what is subtracted from it.
            case add
            /// The stored picture has the pixels that differ, which are opaque; the others are transparent.
            case over
            /// The stored picture replaces the block.
            case replace
            /// Nothing changes, and nothing is stored.
            case same
        }

        let kind: Kind
        /// The other picture's number.
        var base: Int
        /// The block that changes, in pixels.
        let x: Int
        let y: Int
        let width: Int
        let height: Int
    }

    /// What is stored, by the picture's number: WebPs, or PNGs as they were given; empty where nothing is.
    private(set) var pictures: [[UInt8]] = []
    /// Nil for a whole picture.
    private(set) var changes: [Change?] = []
    /// The numbers of each case's pictures; an absent kind has none. `marks` are the differing pixels and the boxes alone,
    /// which lie over the reference made faint.
    private(set) var numbers: [[(kind: String, number: Int)]] = []
    /// Whether pictures are stored with losses away from the pixels that differ.
    private(set) var isApproximate = false

    /// How many bytes the pictures take at the most, unless what differs alone takes more: 24 MB as text.
    static let limit = 19_200_000

    /// Packs the pictures of cases, on every core.
    /// - Parameter limit: Above how many bytes losses are allowed.
    init(_ cases: [CasePictures?], limit: Int = limit) {
        let shared = SharedPages(of: cases.map { $0?.reference ?? $0?.actual })
        var tasks = shared.pages.map { PackTask(given: .png($0)) }
        var pairs: Set<ApproximatePages.Pair> = []
        // A difference picture of which the marks are stored is no whole picture.
        var known: [String: Int] = [:]
        var knownMarks: [String: Int] = [:]
        func add(_ text: String, like bases: [Int] = [], isOnReference: Bool = false) -> Int {
            if let number = isOnReference ? knownMarks[text] : known[text] { return number }
            if isOnReference { knownMarks[text] = tasks.count } else { known[text] = tasks.count }
            tasks.append(PackTask(given: .base64(text), bases: bases, isOnReference: isOnReference))
            return tasks.count - 1
        }
        for (pictures, page) in zip(cases, shared.pageOfPicture) {
            var added: [(kind: String, number: Int)] = []
            // The page has its own index as its number.
            let pages = page.map { [$0] } ?? []
            let reference = pictures?.reference.map { add($0, like: pages) }
            if let reference { added.append(("reference", reference)) }
            let actual = pictures?.actual.map { add($0, like: (reference.map { [$0] } ?? []) + pages) }
            if let actual { added.append(("actual", actual)) }
            if let one = reference ?? actual { pairs.insert(.init(reference: one, actual: actual ?? one)) }
            if let text = pictures?.errorMap { added.append(("errors", add(text))) }
            if let text = pictures?.difference {
                // The signature and the header of a PNG take 33 bytes, which are 44 characters.
                let isPicture = text.utf8.count > 44
                added.append(("difference", add(text, isOnReference: isPicture && reference != nil)))
            }
            numbers.append(added)
        }
        let given = tasks.map(\.given)
        var packed = Threads.map(tasks.count) { [tasks] in tasks[$0].packed(among: given) }
        if packed.reduce(0, { $0 + $1.bytes.count }) > limit {
            let pages = ApproximatePages(given: given, packed: packed, pairs: pairs)
            if let approximate = pages.packed(within: limit) { (packed, isApproximate) = (approximate, true) }
        }
        pictures = packed.map(\.bytes)
        changes = packed.map(\.change)
        for (index, added) in numbers.enumerated() {
            numbers[index] = added.map { packed[$0.number].isMarks ? ("marks", $0.number) : $0 }
        }
    }

    /// What a reader should know of the pictures.
    var notes: [String] {
        isApproximate
            ? [
                "So that this page can be sent, pictures are shown with losses of compression where reference and actual picture "
                    + "are equal. Around pixels that differ they are exact."
            ] : []
    }

    /// The changes as the script reads them, by the pictures' numbers.
    var json: [JSONValue] {
        changes.map { change in
            guard let change else { return .null }
            let block = [change.x, change.y, change.width, change.height].map { JSONValue.number(Double($0)) }
            return [
                "kind": .string(change.kind.rawValue), "base": .number(Double(change.base)), "block": .array(block),
            ]
        }
    }
}

/// A PNG that is to be packed.
enum GivenPicture: Sendable {
    case png([UInt8])
    case base64(String)

    var bytes: [UInt8] {
        switch self {
        case .png(let bytes): bytes
        case .base64(let text): Base64.decode(text) ?? []
        }
    }

    var image: Image? { try? PNG.decode(bytes, name: "a picture").flattened }
}

/// What is stored for a picture.
struct PackedPicture: Sendable {
    var bytes: [UInt8]
    var change: PagePictures.Change?
    /// Whether only the marks of a difference picture are stored.
    var isMarks = false
}

/// A picture to be packed.
private struct PackTask: Sendable {
    let given: GivenPicture
    /// The numbers of pictures that it may be a change of.
    var bases: [Int] = []
    /// Whether it is a difference picture, whose reference is stored too.
    var isOnReference = false

    /// The smallest form of the picture; as it was given where it can't be read, or where memory is short.
    /// - Parameter pictures: all pictures, by their numbers.
    func packed(among pictures: [GivenPicture]) -> PackedPicture {
        guard let image = given.image else { return PackedPicture(bytes: given.bytes) }
        if isOnReference {
            let marks = image.withoutGrey
            let bytes = WebP.encode(marks) ?? (try? PNG.encode(marks))
            return PackedPicture(bytes: bytes ?? given.bytes, isMarks: bytes != nil)
        }
        let others = bases.compactMap { number in pictures[number].image.map { (number: number, image: $0) } }
            .filter { $0.image.size == image.size }
        let near = others.min { $0.image.distance(to: image) < $1.image.distance(to: image) }
        let forms =
            near.map { $0.image.changes(to: image, number: $0.number) } ?? [PictureForm(change: nil, image: image)]
        if forms.first?.change?.kind == .same { return PackedPicture(bytes: [], change: forms.first?.change) }
        let packed = forms.compactMap { form in
            WebP.encode(form.image).map { PackedPicture(bytes: $0, change: form.change) }
        }
        return packed.min { $0.bytes.count < $1.bytes.count } ?? PackedPicture(bytes: given.bytes)
    }
}

extension Image {
    /// The picture with its grey pixels transparent.
    fileprivate var withoutGrey: Image {
        var image = self
        image.pixels.withUnsafeMutableBufferPointer { bytes in
            for index in Swift.stride(from: 0, to: bytes.count, by: 4)
            where bytes[index] == bytes[index + 1] && bytes[index] == bytes[index + 2] {
                for channel in 0..<4 { bytes[index + channel] = 0 }
            }
        }
        return image
    }
}
