// SPDX-License-Identifier: Apache-2.0

import ServiceHost
import ZeroMQ

/// Keys that asked for admission but are missing from the account book, which is a little older than storage's
/// accounts. Used by the thread that decides who may connect.
final class PendingKeys: Sendable {
    /// The maximum number of keys that are remembered. Beyond it, an unknown key counts as a stranger's at once.
    private static let most = 1_000

    private struct State {
        /// The number of the latest request for the accounts.
        var asked: UInt64 = 0
        /// The number of the latest request whose answer is in the account book.
        var answered: UInt64 = 0
        /// For each key, the number of the latest request at the time when the key arrived.
        var came: [CurveKey: UInt64] = [:]
    }

    private let state = Locked(State())
    /// Sent when a key arrives for the first time, because the accounts should then be read. For one reader.
    let arrivals = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    /// Sent when the accounts have been read.
    let readings = ChangeSignal()

    /// Begins a request for the accounts and returns its number.
    func ask() -> UInt64 {
        state.withLock { state in
            state.asked += 1
            return state.asked
        }
    }

    /// Reports that the answer to a request is in the account book.
    func haveRead(asked: UInt64) {
        state.withLock { state in
            state.answered = max(state.answered, asked)
            // A key that has not arrived again during twenty requests is forgotten, because its client has gone.
            state.came = state.came.filter { $0.value + 20 > asked }
        }
        readings.send()
    }

    /// Whether the key is among those that are remembered. If not, nothing is known of it.
    func remembers(_ key: CurveKey) -> Bool { state.withLock { $0.came[key] != nil } }

    /// Whether the key belongs to no account, which is certain only after the accounts have been read once more.
    func isStranger(_ key: CurveKey) -> Bool {
        let (isStranger, isNew) = state.withLock { state in
            if let came = state.came[key] { return (state.answered > came, false) }
            guard state.came.count < Self.most else { return (state.answered > 0, false) }
            state.came[key] = state.asked
            return (false, true)
        }
        if isNew { arrivals.continuation.yield() }
        return isStranger
    }
}
