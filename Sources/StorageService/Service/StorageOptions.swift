// SPDX-License-Identifier: Apache-2.0

import StorageOnPostgreSQL
public import StorageRules
public import WaymarkProtocol

/// The options of a storage service.
public struct StorageOptions: Sendable {
    /// The data directory; nil keeps everything in memory.
    public var directory: String?
    /// The database server; nil: SQLite in the directory, or in memory.
    package var server: PostgreSQLServer?
    /// The endpoint for requests.
    public var listen: String
    /// The endpoint for changes.
    public var changes: String
    /// Whether storage may use any free port of the same host if the port of `changes` is taken.
    public var mayMoveChanges = false
    /// The endpoint that clients are told to subscribe to; nil for `changes`.
    public var advertise: String?
    /// Whether storage may listen without accounts where other machines can reach it.
    public var isInsecure: Bool
    /// The most requests in one commit.
    public var batchCommands = 1_024
    /// The most bytes of requests in one commit.
    public var batchBytes = 8 * 1024 * 1024
    public var beacon: Duration
    /// The limits of the change log.
    public var retention: Retention
    /// Time for which points of tracks are kept; zero: forever.
    public var tracks = Duration.seconds(30 * 86_400)
    /// Bytes to keep free on the file system: with less, writes are refused.
    public var diskReserve: Int
    /// Whether a database of an older schema is copied before its upgrade.
    public var backsUpBeforeUpgrade = true
    /// The most connections to each socket at once. Fewer are accepted if file descriptors are scarce.
    public var connections = 4_096
    /// Accounts and keys; nil: every client that can connect may do everything.
    public var access: StorageAccess?
    /// The most reads in progress; more are refused as busy. Tests set another number.
    package var reads = 256
    /// The protocol versions that storage speaks. Tests set another range.
    package var protocolVersions = WaymarkProtocol.versions

    public init(
        directory: String?, listen: String = WaymarkProtocol.defaultCommandEndpoint,
        changes: String = WaymarkProtocol.defaultChangesEndpoint, advertise: String? = nil, isInsecure: Bool = false,
        beacon: Duration = .milliseconds(WaymarkProtocol.beaconMilliseconds), retention: Retention = Retention(),
        diskReserve: Int = 64 * 1024 * 1024
    ) {
        (self.directory, self.listen, self.changes, self.advertise) = (directory, listen, changes, advertise)
        (self.isInsecure, self.beacon, self.retention) = (isInsecure, beacon, retention)
        self.diskReserve = diskReserve
    }
}
