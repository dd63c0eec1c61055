// SPDX-License-Identifier: Apache-2.0

/// The constants of the protocol, on which both sides must agree. They are explained in
/// `WaymarkProtocol.docc/Protocol.md`.
public enum WaymarkProtocol {
    /// The newest protocol version that this code speaks. Each message carries its version in the third byte.
    public static let version: UInt8 = 1
    /// All protocol versions that this code speaks. A release that adds a version keeps the previous one, so that
    /// services of two consecutive releases work together.
    public static let versions: ClosedRange<UInt8> = 1...version

    /// The maximum size of a frame in bytes. A larger frame ends its sender's connection (libzmq's `ZMQ_MAXMSGSIZE`).
    public static let messageBytes = 4 * 1024 * 1024
    /// The maximum size in bytes of a frame from a client without an account. A larger one ends the connection.
    public static let signInBytes = 4_096
    /// The maximum size of a request's header in bytes.
    public static let headerBytes = 8_192
    /// The size in bytes at which a page of changes, of a snapshot or of hits ends.
    public static let pageBytes = 1024 * 1024
    /// The highest possible revision, limited so that no calculation with revisions can overflow.
    public static let latestRevision: UInt64 = 1 << 62
    /// The maximum number of rows of a page of hits or landmarks.
    public static let pageRows = 1_000
    /// The maximum radius for the order by prominence, in metres; equal to 30 miles.
    public static let prominenceMetres = 48_280.32
    /// The maximum number of rows of a page of changes, of keys or of a snapshot.
    public static let bulkRows = 10_000
    /// The maximum number of rows of an ingest request, including the keys of vanished rows.
    public static let ingestRows = 1_000
    /// The maximum number of characters of a search text.
    public static let searchCharacters = 200
    /// The maximum timeout of a request, in milliseconds.
    public static let timeoutMilliseconds: UInt32 = 120_000
    /// The timeout of a request that does not specify one, in milliseconds.
    public static let defaultTimeoutMilliseconds: UInt32 = 5_000
    /// The maximum time for which the answer to a request for changes may wait for a newer change, in milliseconds.
    public static let longestWaitMilliseconds: UInt32 = 10_000
    /// The time between two beacons of a feed, in milliseconds.
    public static let beaconMilliseconds = 1_000
    /// The number of successive missed beacons after which the publisher counts as unreachable.
    public static let beaconsMissed = 3

    public static let defaultQueryEndpoint = "tcp://127.0.0.1:7420"
    public static let defaultCommandEndpoint = "tcp://127.0.0.1:7421"
    public static let defaultChangesEndpoint = "tcp://127.0.0.1:7422"
}

/// The product's name and version, as it reports them.
public enum Product {
    public static let version = "0.1.0"
}
