// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import StorageRules

/// The server on which a history was written. On another server an older state may have been put back, so the history
/// gets another epoch there.
struct DatabaseIdentity: Hashable {
    /// Made by initdb; a copy of the server's files has the same value.
    var cluster: UInt64
    /// Raised when a standby is promoted, and by a restore to a point in time.
    var timeline: UInt64
    /// The object id of `history`: a dump that is read back makes another table.
    var relation: UInt64

    /// Reads the identity of the connected server.
    init(_ connection: Connection) throws {
        // "The first 8 hexadecimal digits of a WAL segment's name are the timeline." pg_control_checkpoint() has the
        // new timeline only after the first checkpoint.
        let found = try connection.first(
            """
            SELECT system_identifier, ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint,
                'history'::regclass::oid::bigint FROM pg_control_system()
            """
        ) { row in (try row.bits(0), try row.bits(1), try row.bits(2)) }
        guard let found else { throw EngineError.corrupted("the server does not identify itself") }
        (cluster, timeline, relation) = found
    }

    /// Reads the identity that `history` records.
    init(recorded row: ResultRow, at column: Int) throws {
        (cluster, timeline, relation) = (try row.bits(column), try row.bits(column + 1), try row.bits(column + 2))
    }

    /// Whether everything acknowledged on `other` is here too.
    ///
    /// - Parameter isSynchronous: whether a standby confirms each commit before it is acknowledged, so that a promoted
    ///   standby has all of them.
    func continues(_ other: DatabaseIdentity, isSynchronous: Bool) -> Bool {
        cluster == other.cluster && relation == other.relation && (timeline == other.timeline || isSynchronous)
    }
}
