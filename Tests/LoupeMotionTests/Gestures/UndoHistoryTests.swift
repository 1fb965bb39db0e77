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
}
