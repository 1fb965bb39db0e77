import Dispatch
import Glibc
import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem
import Synchronization

/// A decoded image: of a source, or of several jobs that show it.
final class SharedImage: Sendable {
    let picture: StoredImage
    /// The same for the stored picture and for the one in sRGB.
    let traits: ImageTraits
    private let known = Mutex<(image: Image?, digest: String?, look: Look?)>((nil, nil, nil))

    /// The parts of a page's facts that take a look at many of its pixels.
    struct Look {
        let background: Color
        let isPixelArt: Bool
        /// Nil where nobody has asked for it, as the next.
        let tone: PageTone?
        let contrast: ContrastGrid?
        let words: [Rect]?
    }

    init(_ picture: StoredImage) {
        self.picture = picture
        // Asked for here, on the thread that decodes: whether an image is opaque is read from all its pixels.
        traits = picture.image.traits
    }

    /// Whether all its pixels are opaque; those of a vector picture are looked at anew, as its traits leave that open.
    var isOpaque: Bool { traits.isVector ? picture.image.isOpaque : traits.isOpaque }

    /// The image in sRGB, converted at the first call.
    func converted() throws -> Image {
        try known.withLock { known in
            let image = try known.image ?? picture.converted()
            known.image = image
            return image
        }
    }

    /// The look over a background, made anew where the last one lacks something or is for another background.
    /// - Parameter make: gets the last one, where that is for this background.
    func look(
        over background: Color, tone: Bool, contrast: Bool, words: Bool, _ make: (Look?) -> Look
    ) -> Look {
        known.withLock { known in
            if let look = known.look, look.background == background, look.tone != nil || !tone,
                look.contrast != nil || !contrast, look.words != nil || !words
            {
                return look
            }
            let look = make(known.look.flatMap { $0.background == background ? $0 : nil })
            known.look = look
            return look
        }
    }

    /// The SHA-256 of its file, computed at the first call.
    func digest(_ make: () throws -> String) rethrows -> String {
        try known.withLock { known in
            let digest = try known.digest ?? make()
            known.digest = digest
            return digest
        }
    }
}

/// The images that the last jobs showed. Any thread may use it; two threads that want the same image wait for one decoder.
public final class ImageCache: @unchecked Sendable {
    /// The most bytes that the images take together; a single image may take more.
    private static let capacity = min(512 << 20, Memory.limit / 4)

    private let queue = DispatchQueue(label: "images")
    /// By name; guarded by `queue`, as all below.
    private var slots: [ImagePath: Slot] = [:]
    /// Names, the least recently used first.
    private var order: [ImagePath] = []

    /// An empty cache.
    public init() {}

    /// - Parameters:
    ///   - path: without links.
    ///   - name: a name that no other image has, nor the same one decoded otherwise.
    func image(at path: Path, as name: ImagePath, decode: () throws -> SharedImage) throws -> SharedImage {
        let version = FileVersion(of: path)
        let slot = queue.sync { self.slot(name, version) }
        let image = try slot.image(decode)
        queue.sync {
            slot.decoded = image
            trim()
        }
        return image
    }

    /// Whether the cache still holds this very image.
    func holds(_ image: SharedImage) -> Bool {
        queue.sync { slots.values.contains { $0.decoded === image } }
    }

    private func slot(_ name: ImagePath, _ version: FileVersion?) -> Slot {
        order.removeAll { $0 == name }
        order.append(name)
        if let slot = slots[name], slot.version == version { return slot }
        let slot = Slot(version)
        slots[name] = slot
        return slot
    }

    private func trim() {
        var total = slots.values.reduce(0) { $0 + $1.byteCount }
        while total > Self.capacity, order.count > 1 {
            total -= slots.removeValue(forKey: order.removeFirst())?.byteCount ?? 0
        }
    }

    /// One image, which its first user decodes while the others wait.
    private final class Slot {
        let version: FileVersion?
        private let queue = DispatchQueue(label: "image")
        private var result: Result<SharedImage, any Error>?
        /// The decoded image; guarded by the cache's queue.
        var decoded: SharedImage?

        init(_ version: FileVersion?) { self.version = version }

        func image(_ decode: () throws -> SharedImage) throws -> SharedImage {
            try queue.sync {
                if let result { return try result.get() }
                let fresh = Result { try decode() }
                result = fresh
                return try fresh.get()
            }
        }

        /// With 8 bits beside 16, and a converted picture beside one that is not in sRGB, which are made where they are asked for.
        var byteCount: Int {
            guard let picture = decoded?.picture else { return 0 }
            let image = picture.image
            return image.width * image.height * (image.pixels16 == nil ? 4 : 12) * (picture.color == .sRGB ? 1 : 2)
        }
    }
}

/// Identifies one version of a file: a file that was replaced or changed has another.
public struct FileVersion: Equatable, Sendable {
    private let device: UInt
    private let node: UInt
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    /// Nil where there is no such file.
    public init?(of path: Path) {
        guard let status = PagePath(path).file.status() else { return nil }
        (device, node, size) = (UInt(status.st_dev), UInt(status.st_ino), Int(status.st_size))
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }

    /// Whether it was last changed before the other one.
    public func isOlder(than other: FileVersion) -> Bool {
        (seconds, nanoseconds) < (other.seconds, other.nanoseconds)
    }
}
