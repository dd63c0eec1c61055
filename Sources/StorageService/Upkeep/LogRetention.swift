// SPDX-License-Identifier: Apache-2.0

import StorageRules
import WaymarkTransport

/// The state that stays between two attempts to delete old changes of the log or old points of tracks.
struct LogRetention {
    private let clock = EvenClock(wall: WallClock.milliseconds, monotonic: Monotonic.milliseconds)
    /// The failure of the last attempt. The same failure is logged only once, until another failure replaces it.
    private var failure: EngineError?

    /// The present time in Unix milliseconds, for measuring ages.
    var now: UInt64 { clock.now(wall: WallClock.milliseconds, monotonic: Monotonic.milliseconds) }

    mutating func succeeded() { failure = nil }

    /// Records a failure, and returns whether it differs from the last failure.
    mutating func failed(_ error: EngineError) -> Bool {
        defer { failure = error }
        return failure != error
    }
}

/// A wall clock that never advances faster than the monotonic clock since the start. Ages are measured by it, so that
/// setting the wall clock forward does not make changes look old.
struct EvenClock {
    // The values of both clocks at the start, in milliseconds.
    let wall: UInt64
    let monotonic: UInt64

    /// Returns the present time in Unix milliseconds.
    func now(wall: UInt64, monotonic: UInt64) -> UInt64 {
        min(wall, self.wall + (monotonic - min(monotonic, self.monotonic)))
    }
}
