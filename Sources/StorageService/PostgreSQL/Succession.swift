// SPDX-License-Identifier: Apache-2.0

import Logging
import PostgreSQL

/// Waits until the storage that writes has ended.
///
/// Its advisory lock goes with its connection. Where the lock stays, as that of a busy or a cut off backend does, its life
/// signs decide: every commit and, without any, a beat each second. The clock is the waiting storage's own.
struct Succession {
    /// The second key of the advisory lock: a database may have several of Waymark's, in schemas of their own.
    static let database = "hashtext(current_schema())"
    private static let pause = Duration.milliseconds(250)

    let patience: Duration
    let remote: EngineRemote
    let logger: Logger

    func wait(_ connection: Connection) throws {
        let clock = ContinuousClock()
        var seen: [UInt64]?
        var moved = clock.now
        while try !takesLock(connection) {
            guard !remote.isInterrupted else { throw EngineError.closed }
            let signs = try signs(connection)
            if seen == nil {
                logger.notice("another storage has the database; this one waits to take over")
                remote.enter(.waiting)
            }
            if signs != seen { (seen, moved) = (signs, clock.now) }
            if clock.now - moved >= patience {
                logger.warning("the storage that has the database is silent; this one takes over")
                return
            }
            remote.sleep(Self.pause)
        }
    }

    private func takesLock(_ connection: Connection) throws -> Bool {
        try connection.rows(
            "SELECT pg_try_advisory_lock($1, \(Self.database))", [.int4(WriterTerm.lock)]
        ).first?.bool(0) ?? false
    }

    private func signs(_ connection: Connection) throws -> [UInt64] {
        try connection.first("SELECT term, commits, beats FROM history") { row in
            [try row.bits(0), try row.bits(1), try row.bits(2)]
        } ?? []
    }
}
