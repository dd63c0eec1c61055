// SPDX-License-Identifier: Apache-2.0

import StorageRules
import WaymarkTransport

/// State between two attempts to delete old changes of the log, or old points of tracks.
struct LogRetention {
    private let clock = EvenClock(wall: WallClock.milliseconds, monotonic: Monotonic.milliseconds)
    /// The failure of the last attempt. It is logged once, until a different one replaces it.
    private var failure: EngineError?

    /// The present time in Unix milliseconds, for measuring ages.
    var now: UInt64 { clock.now(wall: WallClock.milliseconds, monotonic: Monotonic.milliseconds) }

    mutating func succeeded() { failure = nil }

    /// - Returns: whether this failure differs from the last one.
    mutating func failed(_ error: EngineError) -> Bool {
        defer { failure = error }
        return failure != error
    }
}

/// A wall clock that never runs ahead of the time that has passed since the start. Ages are measured by it, so that a
/// step of the wall clock does not make changes look old.
struct EvenClock {
    // Both in milliseconds, read at the same time.
    let wall: UInt64
    let monotonic: UInt64

    /// The present time in Unix milliseconds.
    func now(wall: UInt64, monotonic: UInt64) -> UInt64 {
        min(wall, self.wall + (monotonic - min(monotonic, self.monotonic)))
    }
}
