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
        #expect(history.redo() && history.done.items == [0, 1, 2])
    }

    /// Copies share most of a long history, and none changes another.
    @Test func longHistoriesAreUndoneAndRedone() {
        let whole = history(of: 250)
        var part = whole
        for _ in 0..<170 { part.undo() }
        #expect(part.done.items == Array(0..<80) && part.redoable == 170)
        var again = part
        while again.redo() {}
        #expect(again == whole && whole.done.items == Array(0..<250) && whole.done.count == 250)
        part.finish(7)
        #expect(part.done.items == Array(0..<80) + [7] && !part.redo())
    }

    @Test func cancelledRewindKeepsWhatOthersDidMeanwhile() {
        var history = history(of: 3)
        history.undo()
        history.beginRewind()
        history.undo()
        history.cancelRewind()
        #expect(history.done.items == [0, 1] && history.redoable == 1)
        history.beginRewind()
        history.undo()
        history.begin(7)
        history.finish(7)
        history.cancelRewind()
        #expect(history.done.items == [0, 1, 7] && history.redoable == 0)
    }
}
