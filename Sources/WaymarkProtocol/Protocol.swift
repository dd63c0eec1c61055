// SPDX-License-Identifier: Apache-2.0

/// Numbers of the protocol that both sides must agree on. The prose is in `WaymarkProtocol.docc/Protocol.md`.
public enum WaymarkProtocol {
    /// The version that this code speaks: the third byte of every message.
    public static let version: UInt8 = 1
    /// All versions that this code speaks. A release that adds a version keeps the previous one, so that services of
    /// two consecutive releases work together.
    public static let versions: ClosedRange<UInt8> = 1...version

    /// The largest frame; a larger one ends its sender's connection (libzmq's `ZMQ_MAXMSGSIZE`).
    public static let messageBytes = 4 * 1024 * 1024
    /// The largest frame from a client without an account: the sockets for signing in end the connection at a larger
    /// one.
    public static let signInBytes = 4_096
    /// The largest header of a request.
    public static let headerBytes = 8_192
    /// The size at which a page of changes, of a snapshot or of hits ends.
    public static let pageBytes = 1024 * 1024
    /// The greatest revision, so that no calculation with revisions can overflow.
    public static let latestRevision: UInt64 = 1 << 62
    /// The most rows of one page of hits or landmarks.
    public static let pageRows = 1_000
    /// The largest radius of an order by prominence, in metres: 30 miles.
    public static let prominenceMetres = 48_280.32
    /// The most rows of one page of changes, keys or a snapshot.
    public static let bulkRows = 10_000
    /// The most rows of one ingest request, vanished keys included.
    public static let ingestRows = 1_000
    /// The most characters of a search.
    public static let searchCharacters = 200
    /// The longest timeout of a request, in milliseconds.
    public static let timeoutMilliseconds: UInt32 = 120_000
    /// The timeout of a request that gives none, in milliseconds.
    public static let defaultTimeoutMilliseconds: UInt32 = 5_000
    /// The longest time that a request for changes may wait for a newer one, in milliseconds.
    public static let longestWaitMilliseconds: UInt32 = 10_000
    /// The time between two beacons of a feed, in milliseconds.
    public static let beaconMilliseconds = 1_000
    /// The number of missed beacons in a row after which the publisher counts as unreachable.
    public static let beaconsMissed = 3

    public static let defaultQueryEndpoint = "tcp://127.0.0.1:7420"
    public static let defaultCommandEndpoint = "tcp://127.0.0.1:7421"
    public static let defaultChangesEndpoint = "tcp://127.0.0.1:7422"
}

/// The product's name and version, as it reports them.
public enum Product {
    public static let version = "0.1.0"
}
