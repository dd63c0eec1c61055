// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The settings of an engine.
package struct EngineTuning: Sendable {
    package var answers = AnswerWindow.standard
    /// How long a search waits for a revision that the text search has not reached.
    package var searchPatience: Duration = .seconds(3)
    /// Bytes of the file system that stay free.
    package var reserve: UInt64 = 0
    /// The time between two checks of the disk.
    package var diskPause: Duration = .seconds(1)
    /// Whether a database of an older schema is copied before its upgrade.
    package var backsUpBeforeUpgrade = true
    /// The migrations of SQLite's schema. Only tests add one.
    package var migrator = SQLiteSchema.migrator()
    /// The time since the machine started, independent of its wall clock.
    package var uptime: @Sendable () -> Duration = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    package init() {}
}
