// SPDX-License-Identifier: Apache-2.0

import Landmarks
import ZeroMQ

/// Prints changes, each as one line, and knows how many there were.
///
/// The count is also read by the thread that ends the process at a signal.
final class ChangePrinter: Sendable {
    private struct State {
        var count: UInt64 = 0
        var lastRev: UInt64?
    }

    private let output: Output
    private let limit: Int?
    private let state = Locked(State())

    init(_ output: Output, limit: Int?) {
        self.output = output
        self.limit = limit
    }

    var isFull: Bool {
        guard let limit else { return false }
        return state.withLock { $0.count } >= UInt64(limit)
    }

    var lastRev: UInt64? { state.withLock { $0.lastRev } }

    /// `12 changes, last revision 991`.
    var summary: String {
        let (count, lastRev) = state.withLock { ($0.count, $0.lastRev) }
        return Figures.count(count, "change", "changes") + (lastRev.map { ", last revision \($0)" } ?? "")
    }

    func print(_ change: Change, epoch: UUIDv7) throws(SinkError) {
        switch output.format {
        case .json: try output.object { $0.fields(change, epoch: epoch) }
        case .text: try output.line(ChangeLine.text(change, output.painter))
        }
        state.withLock {
            $0.count += 1
            $0.lastRev = change.rev
        }
    }
}
