// SPDX-License-Identifier: Apache-2.0

public import Ingest
public import Landmarks
public import WaymarkProtocol

/// The configuration of a query service at its start.
public struct QueryOptions: Sendable {
    /// The endpoint for requests.
    public var listen: String
    /// The endpoints where storage takes requests: one of them serves at a time. At least one.
    public var storages: [String]
    /// The endpoints where storage publishes changes, in the order of `storages`, or one for all of them; empty: those that
    /// storage names.
    public var changes: [String]
    /// What the replica holds; nil: all landmarks.
    public var region: Region?
    /// The endpoints of query services that are asked what the region does not tell; empty: there is none.
    public var elsewhere: [String] = []
    /// Whether to listen also where other machines can connect.
    public var isInsecure = false
    /// The sources to fetch, and how often.
    public var sources: [SourceDefinition]
    /// The time zones of opening hours.
    public var zones = PlaceZones()
    /// The path of a gazetteer; nil: the one inside the program.
    public var gazetteer: String?
    /// Nil: no rates.
    public var rates: RatesSource?
    /// The greatest number of connections, as far as the limit of open files allows.
    public var connections: Int
    /// Nil: clients follow storage's own feed.
    public var relay: RelayOptions?
    /// Accounts and keys; nil: everybody who can connect may do everything.
    public var access: QueryAccess?
    /// The protocol versions that the service speaks. Only tests of mixed releases change them.
    package var protocolVersions = WaymarkProtocol.versions
    /// The longest wait for a change, in milliseconds. Tests set another number.
    package var longestWait = WaymarkProtocol.longestWaitMilliseconds

    public init(
        listen: String = WaymarkProtocol.defaultQueryEndpoint,
        storage: String = WaymarkProtocol.defaultCommandEndpoint, changes: String? = nil,
        sources: [SourceDefinition] = [], rates: RatesSource? = nil, connections: Int = 4_096
    ) {
        self.listen = listen
        storages = [storage]
        self.changes = changes.map { [$0] } ?? []
        self.sources = sources
        self.rates = rates
        self.connections = connections
    }

    /// The filter of the snapshot and of the feed; nil: there is none.
    var feedFilter: FeedFilter? { region.map { FeedFilter(area: $0.area) } }

    /// Storage's endpoints, for people.
    var storageNames: String { storages.joined(separator: ", ") }
}
