import LoupeBase
import LoupeMotion
import LoupeScene

/// A session of a page: a recording that is played, and the same model in the reader's hand.
final class LiveSession {
    /// What came with the page; without a trace where the page only records.
    private let given: Session
    /// What the player plays: what came with the page, or the reader's own recording.
    private(set) var played: Session
    /// The model while the reader moves it; nil while the player shows a recording.
    private var hand: Session.Model?
    /// What is shown.
    private(set) var frame: MotionFrame
    /// The time of what is shown, in seconds.
    private(set) var time = 0.0

    init(_ document: JSONValue, imageSize: @escaping (ImagePath) throws(DocumentError) -> ImageSize)
        throws(DocumentError)
    {
        let decoder = SessionDecoder(
            imageSize: imageSize,
            file: { path throws(DocumentError) in
                throw JSONReader(document).error("\(path.description) is not in the page")
            })
        given = try decoder.decode(Array(document.line.utf8), needsTrace: false)
        played = given
        frame = given.model.frame(at: 0)
    }

    /// Whether the model is in the reader's hand.
    var isInHand: Bool { hand != nil }

    // MARK: - The player

    /// Shows the recording at a time in seconds.
    func seek(to time: Double) {
        hand = nil
        self.time = time
        frame = played.model.frame(at: time)
    }

    /// Plays another recording of the same model.
    func play(_ trace: [UInt8]) throws(DocumentError) {
        played = given.following(try TraceDecoder.decode(trace))
        seek(to: 0)
    }

    /// Plays what came with the page.
    func playGiven() {
        played = given
        seek(to: 0)
    }

    /// The touches of what is shown, and how the device is turned.
    var touches: [ShownTouch] { isInHand ? [] : played.touches(at: time) }
    var turn: (x: Double, y: Double) { isInHand || !played.hasRotation ? (0, 0) : played.turn(at: time) }

    // MARK: - The hand

    /// Gives the model to the reader, as it is before all events.
    func takeUp() {
        hand = given.model.restarted
        time = 0
        show()
    }

    /// An event of the reader, which is not before the last one and not before what is shown.
    func handle(_ event: Trace.Event) { hand?.handle(event) }

    /// Shows the model at a time in seconds, which is not before the last one.
    /// - Returns: whether anything looks different.
    func pass(until time: Double) -> Bool {
        let before = frame.scene
        hand?.pass(until: time)
        self.time = time
        show()
        return frame.scene != before
    }

    /// The last decision about the reader's gestures, as a mark of the timeline; null for none.
    var decision: JSONValue { hand?.lastDecision ?? .null }

    private func show() { if let hand { frame = hand.frame(at: time) } }
}
