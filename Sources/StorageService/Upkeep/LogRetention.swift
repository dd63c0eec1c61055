// SPDX-License-Identifier: Apache-2.0

import StorageRules
import WaymarkTransport

/// What storage remembers between two attempts to delete what is old: changes of the log, or points of tracks.
struct LogRetention {
    private let clock = EvenClock(wall: WallClock.milliseconds, monotonic: Monotonic.milliseconds)
    /// The failure of the last attempt. It is logged once, until another one replaces it.
    private var failure: EngineError?

    /// Unix milliseconds.
    var now: UInt64 { clock.now(wall: WallClock.milliseconds, monotonic: Monotonic.milliseconds) }

    mutating func succeeded() { failure = nil }

    /// - Returns: whether this failure is another one than the last.
    mutating func failed(_ error: EngineError) -> Bool {
        defer { failure = error }
        return failure != error
    }
}

/// The wall clock, as far as ages may be measured by it: it never runs ahead of the time that has passed since the start,
/// so that a step of the clock does not make changes look old.
struct EvenClock {
    // Both in milliseconds, read at the same time.
    let wall: UInt64
    let monotonic: UInt64

    /// Unix milliseconds.
    func now(wall: UInt64, monotonic: UInt64) -> UInt64 {
        min(wall, self.wall + (monotonic - min(monotonic, self.monotonic)))
    }
}
