// SPDX-License-Identifier: Apache-2.0

import StorageOnPostgreSQL
public import StorageRules
public import WaymarkProtocol

/// The options of a storage service.
public struct StorageOptions: Sendable {
    /// The data directory; nil if everything is kept in memory.
    public var directory: String?
    /// The database server; nil if SQLite is used in the directory or in memory.
    package var server: PostgreSQLServer?
    /// The endpoint for requests.
    public var listen: String
    /// The endpoint for changes.
    public var changes: String
    /// Whether storage may use any free port of the same host if the port of `changes` is taken.
    public var mayMoveChanges = false
    /// The endpoint of changes that is announced to clients; nil if `changes` is announced.
    public var advertise: String?
    /// Whether storage may listen without accounts on an endpoint that other machines can reach.
    public var isInsecure: Bool
    /// The maximum number of requests in one commit.
    public var batchCommands = 1_024
    /// The maximum number of bytes of requests in one commit.
    public var batchBytes = 8 * 1024 * 1024
    public var beacon: Duration
    /// The limits of the change log.
    public var retention: Retention
    /// The time for which points of tracks are kept; zero if they are kept forever.
    public var tracks = Duration.seconds(30 * 86_400)
    /// The number of bytes that must stay free on the file system. With fewer free bytes, writes are refused.
    public var diskReserve: Int
    /// Whether a database with an older schema is copied before it is upgraded.
    public var backsUpBeforeUpgrade = true
    /// The maximum number of connections to each socket. Fewer are accepted if file descriptors are scarce.
    public var connections = 4_096
    /// Whether the process also listens for HTTP, whose connections need many of the open files.
    public var isBesideWeb = false
    /// The key files for accounts; nil if every client that can connect may do everything.
    public var access: StorageAccess?
    /// The maximum number of reads in progress. Further reads are refused as busy. Tests set another number.
    package var reads = 256
    /// The longest wait for a change, in milliseconds. Tests set another number.
    package var longestWait = WaymarkProtocol.longestWaitMilliseconds
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
