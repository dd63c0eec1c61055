// SPDX-License-Identifier: Apache-2.0

internal import WaymarkTransport

/// The identities that callers have given to requests under way, and the tasks that wait to send another request with
/// the same identity. A connection can only have one request with an identity under way.
struct RequestTurns: Sendable {
    /// Gets whether the caller may send its request; false if too many wait.
    typealias Turn = CheckedContinuation<Bool, Never>

    /// The maximum number of tasks that wait with one identity.
    private static let most = 16
    private var turns: [RequestKey: [Turn]] = [:]

    /// - Returns: the answer to the caller; nil if it has to wait, and is resumed when it may send its request.
    mutating func take(_ key: RequestKey, _ turn: Turn) -> Bool? {
        guard let waiting = turns[key] else {
            turns[key] = []
            return true
        }
        guard waiting.count < Self.most else { return false }
        turns[key, default: []].append(turn)
        return nil
    }

    /// - Returns: the task that may send its request now; nil if none waits.
    mutating func end(_ key: RequestKey) -> Turn? {
        guard var waiting = turns[key], !waiting.isEmpty else {
            turns[key] = nil
            return nil
        }
        defer { turns[key] = waiting }
        return waiting.removeFirst()
    }
}
