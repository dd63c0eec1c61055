// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import WaymarkJSON
import ZeroMQ

/// The progress of a complete list, and the notice if the list breaks off. The thread of a signal reads it, too.
final class ListProgress: Sendable {
    private struct State {
        var count = 0
        var cursor: Data?
        var isDone = false
    }

    private let output: Output
    private let state: Locked<State>

    /// - Parameter cursor: the cursor from which the list continues; nil for a list from its beginning.
    init(_ output: Output, from cursor: Data?) {
        self.output = output
        state = Locked(State(cursor: cursor))
    }

    /// - Parameter cursor: the cursor of the next page; nil after the last page.
    func printed(_ count: Int, before cursor: Data?) {
        state.withLock { ($0.count, $0.cursor, $0.isDone) = (count, cursor, cursor == nil) }
    }

    func tellBreak() {
        let (count, cursor, isDone) = state.withLock { ($0.count, $0.cursor, $0.isDone) }
        guard !isDone else { return }
        let text = cursor?.base64URL
        let whole = Figures.count(UInt64(count), "landmark", "landmarks")
        // The rows of an unfinished page will be printed again, so they do not count.
        let rest = text.map { "go on with --all --after \($0)" } ?? "begin again"
        output.notice("incomplete", "The list is not complete, because it broke off after \(whole): \(rest)") {
            $0.field("printed", UInt64(count))
            $0.field("cursor", text)
        }
    }
}
