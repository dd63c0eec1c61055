// SPDX-License-Identifier: Apache-2.0

import Landmarks
import ZeroMQ

/// Prints changes, and the landmarks of a snapshot, one per line, and counts them.
///
/// The thread that ends the process at a signal reads the count too.
final class ChangePrinter: Sendable {
    private struct State {
        var count: UInt64 = 0
        var lastRev: UInt64?
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

    var isFull: Bool {
        guard let limit else { return false }
        return count >= UInt64(limit)
    }

    /// `12 changes, last revision 991`.
    var summary: String {
        let (count, lastRev) = state.withLock { ($0.count, $0.lastRev) }
        return Figures.count(count, "change", "changes") + (lastRev.map { ", last revision \($0)" } ?? "")
    }

    func print(_ told: FeedChange) throws(SinkError) {
        switch format {
        case .json: try output.object { $0.fields(told) }
        case .text: try output.line(ChangeLine.text(told, output.painter, id: output.id, width: output.width))
        case .template(let template):
            let change = told.change
            try output.line(
                template.line(
                    change.landmark, told.position, operation: told.operation.rawValue, user: change.user,
                    at: change.at))
        }
        printed(told.position.rev)
    }

    /// Prints a landmark of the snapshot at `position`.
    func print(_ landmark: Landmark, asOf position: Position) throws(SinkError) {
        switch format {
        case .json: try output.object { $0.fields(landmark, asOf: position) }
        case .text: try output.line(ChangeLine.text(landmark, output.painter, id: output.id, width: output.width))
        case .template(let template):
            try output.line(
                template.line(landmark, position, operation: "init", user: landmark.user, at: landmark.updated))
        }
        printed(position.rev)
    }

    private func printed(_ rev: UInt64) {
        state.withLock {
            $0.count += 1
            $0.lastRev = rev
        }
    }
}
