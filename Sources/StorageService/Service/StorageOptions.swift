// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol

/// What a storage service is told before it starts.
public struct StorageOptions: Sendable {
    /// The data directory; nil keeps everything in memory.
    public var directory: String?
    /// Where requests are taken.
    public var listen: String
    /// Where changes are published.
    public var changes: String
    /// What clients are told to subscribe to; nil: where it listens.
    public var advertise: String?
    /// Listen also where other machines can reach it.
    public var isInsecure: Bool
    /// At most this many requests go into one commit.
    public var batchCommands: Int
    /// At most this many bytes of requests go into one commit.
    public var batchBytes: Int
    public var beacon: Duration
    /// How much of the change log is kept.
    public var retention: Retention
    /// Bytes of the file system that are kept free: with less, writes are refused.
    public var diskReserve: Int
    /// Copy a database of an earlier release before its schema is brought up to date.
    public var backsUpBeforeUpgrade: Bool
    /// Connections that each socket may have at once, as far as file descriptors go round.
    public var connections: Int
    /// Reads that may be under way at once; more are told to come back. Another number is for tests.
    package var reads = 256
    /// What it speaks. Another range is for tests of how releases meet.
    package var protocolVersions = WaymarkProtocol.versions

    public init(
        directory: String?, listen: String = WaymarkProtocol.defaultCommandEndpoint,
        changes: String = WaymarkProtocol.defaultChangesEndpoint, advertise: String? = nil, isInsecure: Bool = false,
        batchCommands: Int = 1_024, batchBytes: Int = 8 * 1024 * 1024,
        beacon: Duration = .milliseconds(WaymarkProtocol.beaconMilliseconds),
        retention: Retention = Retention(), diskReserve: Int = 64 * 1024 * 1024, backsUpBeforeUpgrade: Bool = true,
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
        self.diskReserve = diskReserve
        self.backsUpBeforeUpgrade = backsUpBeforeUpgrade
        self.connections = connections
    }
}
