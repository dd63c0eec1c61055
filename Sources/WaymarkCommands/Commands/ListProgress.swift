// SPDX-License-Identifier: Apache-2.0

import Foundation
import WaymarkJSON
import ZeroMQ

/// How far a list of everything has come, and what is said when it breaks off. The thread of a signal reads it too.
final class ListProgress: Sendable {
    private struct State {
        var count = 0
        var cursor: Data?
        var isDone = false
    }

    private let output: Output
    private let state: Locked<State>

    /// - Parameter cursor: where the list begins; nil: at its beginning.
    init(_ output: Output, from cursor: Data?) {
        self.output = output
        state = Locked(State(cursor: cursor))
    }

    /// - Parameter cursor: that of the page after what was printed; nil after the last one.
    func printed(_ count: Int, before cursor: Data?) {
        state.withLock { ($0.count, $0.cursor, $0.isDone) = (count, cursor, cursor == nil) }
    }

    func tellBreak() {
        let (count, cursor, isDone) = state.withLock { ($0.count, $0.cursor, $0.isDone) }
        guard !isDone else { return }
        let text = cursor.map(CursorText.encode)
        let whole = Figures.count(UInt64(count), "landmark", "landmarks")
        // Rows of an unfinished page are printed again.
        let rest = text.map { "go on with --all --after \($0)" } ?? "begin again"
        output.notice("incomplete", "The list is not complete, it broke off after \(whole): \(rest)") {
            $0.field("printed", UInt64(count))
            $0.field("cursor", text)
        }
    }
}
