// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
internal import WaymarkTransport

/// The identities that callers have given to requests under way, and the tasks that wait to send another request with
/// the same identity. A connection can only have one request with an identity under way.
struct RequestTurns: Sendable {
    private var turns: [RequestKey: [CheckedContinuation<Void, Never>]] = [:]

    /// - Returns: whether the caller may send its request now. Otherwise the continuation is resumed when it may.
    mutating func take(_ key: RequestKey, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard turns[key] != nil else {
            turns[key] = []
            return true
        }
        turns[key]?.append(continuation)
        return false
    }

    /// - Returns: the task that may send its request now; nil if none waits.
    mutating func end(_ key: RequestKey) -> CheckedContinuation<Void, Never>? {
        guard var waiting = turns[key], !waiting.isEmpty else {
            turns[key] = nil
            return nil
        }
        defer { turns[key] = waiting }
        return waiting.removeFirst()
    }
}
