// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The settings of an engine.
package struct EngineTuning: Sendable {
    package var answers = AnswerWindow.standard
    /// How long a search waits for a revision that the text search has not read yet.
    package var searchPatience: Duration = .seconds(3)
    /// The number of bytes that must stay free on the file system.
    package var reserve: UInt64 = 0
    /// The time between two checks of the disk.
    package var diskPause: Duration = .seconds(1)
    /// Whether a database with an older schema is copied before it is upgraded.
    package var backsUpBeforeUpgrade = true
    /// The migrations of SQLite's schema. Only tests change them.
    package var migrator = SQLiteSchema.migrator()
    /// Returns the time since the machine started, which does not depend on the wall clock.
    package var uptime: @Sendable () -> Duration = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    package init() {}
}
