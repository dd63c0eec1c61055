// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import StorageRules

/// The server on which a history was written. On another server the history gets a new epoch, because that server may
/// hold an older, restored state.
struct DatabaseIdentity: Hashable {
    /// The system identifier that initdb makes. A copy of the server's files has the same identifier.
    var cluster: UInt64
    /// The timeline, which a promoted standby and a restore to a point in time increase.
    var timeline: UInt64
    /// The object id of the table `history`. Restoring a dump makes another table.
    var relation: UInt64

    /// Reads the identity of the connected server.
    init(_ connection: Connection) throws {
        // "The first 8 hexadecimal digits of a WAL segment's name are the timeline." pg_control_checkpoint() has the
        // new timeline only after the first checkpoint.
        let found = try connection.value(
            """
            SELECT system_identifier, ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint,
                'history'::regclass::oid::bigint FROM pg_control_system()
            """
        ) { row in try DatabaseIdentity(row) }
        guard let found else { throw EngineError.corrupted("the server does not identify itself") }
        self = found
    }

    /// Reads the identity from the first columns of a row.
    init(_ row: any StoredRow) throws {
        (cluster, timeline, relation) = (try row.bits(0), try row.bits(1), try row.bits(2))
    }

    /// Whether this server has everything that was acknowledged on the server `other`.
    ///
    /// - Parameter isSynchronous: whether a standby confirms each commit before the commit is acknowledged, so that a
    ///   promoted standby has all acknowledged commits.
    func continues(_ other: DatabaseIdentity, isSynchronous: Bool) -> Bool {
        cluster == other.cluster && relation == other.relation && (timeline == other.timeline || isSynchronous)
    }
}
