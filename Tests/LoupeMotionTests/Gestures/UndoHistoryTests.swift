import TestSupport
import Testing

@testable import LoupeMotion

@Suite struct UndoHistoryTests {
    private func history(of count: Int) -> UndoHistory<Int> {
        var history = UndoHistory<Int>()
        for item in 0..<count {
            history.begin(item)
            history.finish(item)
        }
        return history
    }

    /// Strokes that are undone while another hand draws can be redone while it draws.
    @Test func workSetsAsideOnlyWhatWasUndoneBefore() {
        var history = history(of: 3)
        history.undo()
        history.begin(7)
        history.undo()
        #expect(history.redoable == 1 && history.redo() && !history.redo())
        history.cancel(7)
        #expect(history.redo() && history.done == [0, 1, 2])
    }

    @Test func cancelledRewindKeepsWhatOthersDidMeanwhile() {
        var history = history(of: 3)
        history.undo()
        history.beginRewind()
        history.undo()
        history.cancelRewind()
        #expect(history.done == [0, 1] && history.redoable == 1)
        history.beginRewind()
        history.undo()
        history.begin(7)
        history.finish(7)
        history.cancelRewind()
        #expect(history.done == [0, 1, 7] && history.redoable == 0)
    }

    @Test(arguments: 0..<300) func nothingIsLostOrDoubled(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var history = UndoHistory<Int>()
        var (next, begun, isRewinding) = (0, [Int](), false)
        for _ in 0..<200 {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0, 1:
                history.begin(next)
                begun.append(next)
                next += 1
            case 2: if let item = begun.popLast() { history.finish(item) }
            case 3: if !begun.isEmpty { history.cancel(begun.removeFirst()) }
            case 4: history.undo()
            case 5: history.redo()
            case 6:
                if isRewinding { history.endRewind() } else { history.beginRewind() }
                isRewinding.toggle()
            default:
                if isRewinding { history.cancelRewind() }
                isRewinding = false
            }
            #expect(Set(history.done).count == history.done.count && history.redoable >= 0)
        }
    }
}
