// SPDX-License-Identifier: Apache-2.0

public import Ingest
public import Landmarks
public import WaymarkProtocol

/// The configuration of a query service at its start.
public struct QueryOptions: Sendable {
    /// The endpoint for requests.
    public var listen: String
    /// The endpoints of storage for requests, at least one. One storage serves at a time.
    public var storages: [String]
    /// The endpoints where storage publishes changes: in the order of `storages`, or one for all of them; empty: the
    /// endpoints that storage names.
    public var changes: [String]
    /// The region whose landmarks the replica holds; nil: all landmarks.
    public var region: Region?
    /// The endpoints of query services that get the questions beyond the region; empty: such questions are refused.
    public var fallbacks: [String] = []
    /// Whether to listen without accounts where other machines can connect.
    public var isInsecure = false
    /// The sources to fetch, and how often.
    public var sources: [SourceDefinition]
    /// The time zones of opening hours.
    public var zones = PlaceZones()
    /// The path of a gazetteer; nil: the one inside the program.
    public var gazetteer: String?
    /// The source of currency rates; nil: the service has no rates.
    public var rates: RatesSource?
    /// The most connections, as far as the limit of open files allows.
    public var connections: Int
    /// The relay of changes; nil: clients follow storage's own feed.
    public var relay: RelayOptions?
    /// Accounts and keys; nil: every client that can connect may do everything.
    public var access: QueryAccess?
    /// The protocol versions that the service speaks. Only tests of mixed releases change them.
    package var protocolVersions = WaymarkProtocol.versions

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

    /// The filter of the snapshot and of the feed; nil: no filter.
    var feedFilter: FeedFilter? { region.map { FeedFilter(area: $0.area) } }

    /// Storage's endpoints, for log lines and errors.
    var storageNames: String { storages.joined(separator: ", ") }
}
