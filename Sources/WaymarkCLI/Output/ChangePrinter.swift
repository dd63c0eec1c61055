// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkJSON
import ZeroMQ

/// Prints changes and the landmarks of a snapshot, one per line, and counts them.
///
/// The thread that ends the process after a signal reads the count, too.
final class ChangePrinter: Sendable {
    private struct State {
        var count: UInt64 = 0
        var lastRev: UInt64?
        var lastTime = ContinuousClock.now
    }

    private let output: Output
    private let format: ChangeFormat
    private let limit: Int?
    private let state = Locked(State())

    init(_ output: Output, as format: ChangeFormat, limit: Int?) {
        self.output = output
        self.format = format
        self.limit = limit
    }

    var count: UInt64 { state.withLock { $0.count } }
    var lastRev: UInt64? { state.withLock { $0.lastRev } }
    /// The time at which the last line was printed; before the first line, the time at which the printer was made.
    var lastTime: ContinuousClock.Instant { state.withLock { $0.lastTime } }

    var isFull: Bool {
        guard let limit else { return false }
        return count >= UInt64(limit)
    }

    /// The number of printed changes, for people: `12 changes, last revision 991`.
    var summary: String {
        let (count, lastRev) = state.withLock { ($0.count, $0.lastRev) }
        return Figures.count(count, "change", "changes") + (lastRev.map { ", last revision \($0)" } ?? "")
    }

    func print(_ told: FeedChange) throws(SinkError) {
        try print(told.change, told.position, as: told.operation) { $0.fields(told) }
    }

    /// Prints a landmark of the snapshot at `position`.
    func print(_ landmark: Landmark, asOf position: Position) throws(SinkError) {
        let change = Change(
            rev: landmark.rev, at: landmark.updated, operation: .added, user: landmark.user, landmark: landmark,
            before: nil)
        try print(change, position, as: nil) { $0.fields(landmark, asOf: position) }
    }

    /// - Parameter operation: the operation; nil for a landmark of a snapshot.
    private func print(
        _ change: Change, _ position: Position, as operation: FeedOperation?, _ json: (inout JSONWriter) -> Void
    ) throws(SinkError) {
        switch format {
        case .json: try output.object(json)
        case .text:
            try output.line(
                ChangeLine.text(change, as: operation, output.painter, id: output.id, width: output.width))
        case .template(let template):
            try output.line(
                template.line(
                    change.landmark, position, operation: operation?.rawValue ?? "init", user: change.user,
                    at: change.at))
        }
        state.withLock { ($0.count, $0.lastRev, $0.lastTime) = ($0.count + 1, position.rev, .now) }
    }
}
