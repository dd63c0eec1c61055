// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol

/// The options of a storage service.
public struct StorageOptions: Sendable {
    /// The data directory; nil keeps everything in memory.
    public var directory: String?
    /// The server with the database; nil: SQLite in the directory, or in memory.
    package var server: PostgreSQLServer?
    /// The endpoint for requests.
    public var listen: String
    /// The endpoint for changes.
    public var changes: String
    /// Whether any free port of the same host will do where the one of `changes` is taken.
    public var mayMoveChanges = false
    /// The endpoint that clients are told to subscribe to; nil for `changes`.
    public var advertise: String?
    /// Whether it may listen where other machines can reach it.
    public var isInsecure: Bool
    /// The most requests in one commit.
    public var batchCommands: Int
    /// The most bytes of requests in one commit.
    public var batchBytes: Int
    public var beacon: Duration
    /// How much of the change log is kept.
    public var retention: Retention
    /// How long points of tracks are kept; zero: for good.
    public var tracks: Duration
    /// Bytes of the file system that are kept free: with less, writes are refused.
    public var diskReserve: Int
    /// Whether a database of an earlier release is copied before its upgrade.
    public var backsUpBeforeUpgrade: Bool
    /// The most connections of each socket at once. There are fewer if file descriptors are few.
    public var connections: Int
    /// Accounts and keys; nil: everybody who can connect may do everything.
    public var access: StorageAccess?
    /// The most reads in progress; further ones are refused as busy. Tests set another number.
    package var reads = 256
    /// The longest wait for a change, in milliseconds. Tests set another number.
    package var longestWait = WaymarkProtocol.longestWaitMilliseconds
    /// The protocol versions that it speaks. Tests of other releases set another range.
    package var protocolVersions = WaymarkProtocol.versions
    /// The forms of topics that it publishes on. Tests of other releases set fewer.
    package var feedForms = FeedTopic.Form.allCases

    public init(
        directory: String?, listen: String = WaymarkProtocol.defaultCommandEndpoint,
        changes: String = WaymarkProtocol.defaultChangesEndpoint, advertise: String? = nil, isInsecure: Bool = false,
        batchCommands: Int = 1_024, batchBytes: Int = 8 * 1024 * 1024,
        beacon: Duration = .milliseconds(WaymarkProtocol.beaconMilliseconds),
        retention: Retention = Retention(), tracks: Duration = .seconds(30 * 86_400),
        diskReserve: Int = 64 * 1024 * 1024, backsUpBeforeUpgrade: Bool = true,
        connections: Int = 4_096
    ) {
        self.directory = directory
        self.listen = listen
        self.changes = changes
        self.advertise = advertise
        self.isInsecure = isInsecure
        self.batchCommands = batchCommands
        self.batchBytes = batchBytes
        self.beacon = beacon
        self.retention = retention
        self.tracks = tracks
        self.diskReserve = diskReserve
        self.backsUpBeforeUpgrade = backsUpBeforeUpgrade
        self.connections = connections
    }
}
