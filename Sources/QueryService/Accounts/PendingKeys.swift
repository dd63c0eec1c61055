// SPDX-License-Identifier: Apache-2.0

import ServiceHost
import ZeroMQ

/// Keys that asked for admission and are missing from the book of accounts, which is a little older than storage's.
/// Used by the thread that decides who may connect.
final class PendingKeys: Sendable {
    /// The most keys that are remembered. Beyond that an unknown key counts as a stranger's at once.
    private static let most = 1_000

    private struct State {
        /// The number of the latest question for news.
        var asked: UInt64 = 0
        /// The number of the latest question that was answered.
        var answered: UInt64 = 0
        /// The number of the latest question at the time when each key came.
        var came: [CurveKey: UInt64] = [:]
    }

    private let state = Locked(State())
    /// Sent when a key comes for the first time: the book should be read now. For one reader.
    let arrivals = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    /// Sent when the accounts have been read.
    let readings = ChangeSignal()

    /// Begins a question for news, and returns its number.
    func ask() -> UInt64 {
        state.withLock { state in
            state.asked += 1
            return state.asked
        }
    }

    /// Reports that the answer to a question is in the book.
    func haveRead(asked: UInt64) {
        state.withLock { state in
            state.answered = max(state.answered, asked)
            // A key that has not come again within twenty questions is forgotten: its client has gone.
            state.came = state.came.filter { $0.value + 20 > asked }
        }
        readings.send()
    }

    /// Whether the book has been read since the key first came: only then is a key that it lacks a stranger's.
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
