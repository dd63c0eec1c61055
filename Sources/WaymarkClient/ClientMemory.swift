// SPDX-License-Identifier: Apache-2.0

internal import WaymarkTransport
import WaymarkProtocol

/// The state of a client that each of its requests needs, on whichever thread it is made.
struct ClientMemory {
    var numbers = RequestNumbers()
    /// The position of this client's latest write. The client's reads request this position or a later one.
    var written: Position?
    var isClosed = false
    /// The identities that callers have given to requests under way, and the tasks that wait to send another request
    /// with the same identity. A connection can only have one request with an identity under way.
    private var turns: [RequestKey: [CheckedContinuation<Void, Never>]] = [:]

    /// Returns `position`, or the position of this client's last write if that is later and in the same history.
    func latest(_ position: Position) -> Position {
        guard let written, written.epoch == position.epoch, written.rev > position.rev else { return position }
        return written
    }

    /// - Returns: whether the caller may send its request now. Otherwise the continuation is resumed when it may.
    mutating func takeTurn(_ key: RequestKey, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard turns[key] != nil else {
            turns[key] = []
            return true
        }
        turns[key]?.append(continuation)
        return false
    }

    /// - Returns: the task that may send its request now; nil if none waits.
    mutating func endTurn(_ key: RequestKey) -> CheckedContinuation<Void, Never>? {
        guard var waiting = turns[key], !waiting.isEmpty else {
            turns[key] = nil
            return nil
        }
        defer { turns[key] = waiting }
        return waiting.removeFirst()
    }
}
