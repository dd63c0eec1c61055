// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

/// The state of both services. A service that did not report is nil.
public struct StatusReport: Sendable {
    public let query: QueryStatus?
    public let storage: StorageStatus?

    init(_ wire: WireStatusReport) {
        query = wire.hasQuery ? QueryStatus(wire.query) : nil
        storage = wire.hasStorage ? StorageStatus(wire.storage) : nil
    }
}

/// A value that a service reports: a count since its start, or a present value.
public struct ServiceCounter: Sendable, Hashable {
    public let name: String
    public let value: UInt64

    init(_ wire: WireCounter) { (name, value) = (wire.name, wire.value) }
}

/// The state of a query service. Times are milliseconds.
public struct QueryStatus: Sendable {
    public let version: String
    public let run: UUIDv7?
    public let isReady: Bool
    /// The epoch of the landmarks; nil before they were loaded.
    public let epoch: UUIDv7?
    public let rev: UInt64
    /// The number of changes that are known to exist but are not in the replica yet.
    public let lag: UInt64
    public let landmarks: UInt64
    public let uptime: UInt64
    public let isStorageAway: Bool
    /// The time since the service last received something from storage.
    public let age: UInt64
    public let storageEndpoint: String
    /// The endpoint that the service announces to clients for following changes.
    public let changesEndpoint: String
    /// The reasons why the service is not ready, in sentences.
    public let problems: [String]
    /// Remarks for an operator that do not affect whether the service is ready.
    public let remarks: [String]
    public let counters: [ServiceCounter]

    init(_ wire: WireQueryStatus) {
        (version, run, isReady) = (wire.version, UUIDv7(bytes: wire.run), wire.ready)
        (epoch, rev, lag, landmarks) = (UUIDv7(bytes: wire.epoch), wire.rev, wire.lag, wire.landmarks)
        (uptime, isStorageAway, age) = (wire.uptimeMs, wire.storageAway, UInt64(wire.ageMs))
        (storageEndpoint, changesEndpoint) = (wire.storageEndpoint, wire.changesEndpoint)
        (problems, remarks, counters) = (wire.problems, wire.remarks, wire.counters.map(ServiceCounter.init))
    }
}

/// The state of storage.
public struct StorageStatus: Sendable {
    public let version: String
    public let epoch: UUIDv7?
    public let run: UUIDv7?
    public let head: UInt64
    public let floor: UInt64
    public let landmarks: UInt64
    /// The time since the start, in milliseconds.
    public let uptime: UInt64
    public let databaseBytes: UInt64
    /// The revision up to which the text search includes all changes.
    public let searchRev: UInt64
    /// The endpoint at which storage publishes changes, as it announces it.
    public let changesEndpoint: String
    public let counters: [ServiceCounter]

    package init(_ wire: WireStorageStatus) {
        (version, epoch, run) = (wire.version, UUIDv7(bytes: wire.epoch), UUIDv7(bytes: wire.run))
        (head, floor, landmarks, uptime) = (wire.head, wire.floor, wire.landmarks, wire.uptimeMs)
        (databaseBytes, searchRev, changesEndpoint) = (wire.databaseBytes, wire.searchRev, wire.changesEndpoint)
        counters = wire.counters.map(ServiceCounter.init)
    }
}
