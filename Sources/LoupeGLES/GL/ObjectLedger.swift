import Synchronization

/// How many objects of one context were made and not yet deleted: what tests ask to find leaks.
public final class ObjectLedger {
    /// By kind, without those of which there is none.
    public private(set) var live: [ObjectKind: Int] = [:]

    private static let lost = Mutex<[ObjectKind: Int]>([:])

    /// What all contexts of this process that are gone left undeleted. Every object holds its context, so that one
    /// that goes without its objects being deleted can never delete them.
    public static var leaks: [ObjectKind: Int] { lost.withLock { $0 } }

    deinit {
        let live = live
        if !live.isEmpty { Self.lost.withLock { $0.merge(live, uniquingKeysWith: +) } }
    }

    func made(_ kind: ObjectKind) { live[kind, default: 0] += 1 }

    func deleted(_ kind: ObjectKind) {
        guard let count = live[kind] else { preconditionFailure("a \(kind.rawValue) was deleted twice") }
        live[kind] = count == 1 ? nil : count - 1
    }
}
