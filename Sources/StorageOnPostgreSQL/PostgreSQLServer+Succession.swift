// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Logging
import PostgreSQL

/// The wait until the storage that is the writer has ended.
///
/// The writer's advisory lock is released when its connection ends. The lock may remain, because the server's process
/// is busy or cut off from its client. Then the writer's signs of life decide: commits, or, if nothing is committed, a
/// beat each second. The time is measured by the waiting storage's own clock.
extension PostgreSQLServer {
    /// The time between two attempts to take the lock. A storage that blocked until it gets the lock could not see the
    /// signs of life meanwhile.
    private static let pause = Duration.milliseconds(250)

    /// Waits, and returns whether the connection has the lock. If not, the silent storage is still connected.
    func awaitTurn(_ connection: Connection, _ control: EngineControl, _ logger: Logger) throws -> Bool {
        let clock = ContinuousClock()
        var seen: [UInt64]?
        var moved = clock.now
        while try !WriterTerm.takesLock(connection) {
            guard !control.isInterrupted else { throw EngineError.closed }
            let signs = try signs(connection)
            if seen == nil {
                logger.notice("another storage has the database; this one waits to take over")
                control.enter(.waiting)
            }
            if signs != seen { (seen, moved) = (signs, clock.now) }
            if clock.now - moved >= patience {
                logger.warning("the storage that has the database is silent; this one takes over")
                return try WriterTerm.seizeLock(connection)
            }
            control.sleep(Self.pause)
        }
        return true
    }

    private func signs(_ connection: Connection) throws -> [UInt64] {
        try connection.value("SELECT term, commits, beats FROM history") { row in
            [try row.bits(0), try row.bits(1), try row.bits(2)]
        } ?? []
    }
}
