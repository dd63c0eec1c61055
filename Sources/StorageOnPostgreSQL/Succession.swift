// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Logging
import PostgreSQL

/// Waits until the storage that writes has ended.
///
/// Its advisory lock goes with its connection. Where the lock stays, as that of a busy or a cut off backend does, its life
/// signs decide: every commit and, without any, a beat each second. The clock is the waiting storage's own.
struct Succession {
    /// Between two looks: whoever blocked for the lock would not see the life signs meanwhile.
    private static let pause = Duration.milliseconds(250)

    let patience: Duration
    let remote: EngineRemote
    let logger: Logger

    /// - Returns: whether the connection has the lock. Without it the silent storage is still connected.
    func wait(_ connection: Connection) throws -> Bool {
        let clock = ContinuousClock()
        var seen: [UInt64]?
        var moved = clock.now
        while try !WriterTerm.takesLock(connection) {
            guard !remote.isInterrupted else { throw EngineError.closed }
            let signs = try signs(connection)
            if seen == nil {
                logger.notice("another storage has the database; this one waits to take over")
                remote.enter(.waiting)
            }
            if signs != seen { (seen, moved) = (signs, clock.now) }
            if clock.now - moved >= patience {
                logger.warning("the storage that has the database is silent; this one takes over")
                return try WriterTerm.seizeLock(connection)
            }
            remote.sleep(Self.pause)
        }
        return true
    }

    private func signs(_ connection: Connection) throws -> [UInt64] {
        try connection.first("SELECT term, commits, beats FROM history") { row in
            [try row.bits(0), try row.bits(1), try row.bits(2)]
        } ?? []
    }
}
