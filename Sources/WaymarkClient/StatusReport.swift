// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

/// The state of both services. A service that did not report is nil.
public struct StatusReport: Sendable {
    public let query: QueryStatus?
    public let storage: StorageStatus?

    init(_ wire: WireStatusReport) {
        query = wire.hasQuery ? QueryStatus(wire: wire.query) : nil
        storage = wire.hasStorage ? StorageStatus(wire.storage) : nil
    }
}

/// A value that a service reports: a count since its start, or a present value.
public typealias ServiceCounter = (name: String, value: UInt64)

/// The state of a query service. Times are milliseconds.
public struct QueryStatus: Sendable {
    fileprivate let wire: WireQueryStatus

    public var version: String { wire.version }
    public var run: UUIDv7? { UUIDv7(bytes: wire.run) }
    public var isReady: Bool { wire.ready }
    /// The epoch of the landmarks; nil before they were loaded.
    public var epoch: UUIDv7? { UUIDv7(bytes: wire.epoch) }
    public var rev: UInt64 { wire.rev }
    /// The number of changes that are known to exist but are not in the replica yet.
    public var lag: UInt64 { wire.lag }
    public var landmarks: UInt64 { wire.landmarks }
    public var uptime: UInt64 { wire.uptimeMs }
    public var isStorageAway: Bool { wire.storageAway }
    /// The time since the service last received something from storage.
    public var age: UInt64 { UInt64(wire.ageMs) }
    public var storageEndpoint: String { wire.storageEndpoint }
    /// The endpoint that the service announces to clients for following changes.
    public var changesEndpoint: String { wire.changesEndpoint }
    /// The reasons why the service is not ready, in sentences.
    public var problems: [String] { wire.problems }
    /// Remarks for an operator that do not affect whether the service is ready.
    public var remarks: [String] { wire.remarks }
    public var counters: [ServiceCounter] { wire.counters.map { (name: $0.name, value: $0.value) } }
}

/// The state of storage.
public struct StorageStatus: Sendable {
    private let wire: WireStorageStatus

    public var version: String { wire.version }
    public var epoch: UUIDv7? { UUIDv7(bytes: wire.epoch) }
    public var run: UUIDv7? { UUIDv7(bytes: wire.run) }
    public var head: UInt64 { wire.head }
    public var floor: UInt64 { wire.floor }
    public var landmarks: UInt64 { wire.landmarks }
    /// The time since the start, in milliseconds.
    public var uptime: UInt64 { wire.uptimeMs }
    public var databaseBytes: UInt64 { wire.databaseBytes }
    /// The revision up to which the text search includes all changes.
    public var searchRev: UInt64 { wire.searchRev }
    /// The endpoint at which storage publishes changes, as it announces it.
    public var changesEndpoint: String { wire.changesEndpoint }
    public var counters: [ServiceCounter] { wire.counters.map { (name: $0.name, value: $0.value) } }

    package init(_ wire: WireStorageStatus) { self.wire = wire }
}
