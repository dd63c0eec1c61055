// SPDX-License-Identifier: Apache-2.0

public import Ingest
public import Landmarks
public import WaymarkProtocol

/// The configuration of a query service at its start.
public struct QueryOptions: Sendable {
    /// The endpoint for requests.
    public var listen: String
    /// The endpoints where storage takes requests, at least one. Only one storage serves at a time.
    public var storages: [String]
    /// The endpoints where storage publishes changes: one for each of `storages`, in the same order, or one for all.
    /// Empty if storage's answers tell them.
    public var changes: [String] = []
    /// The region whose landmarks the replica holds; nil if it holds all landmarks.
    public var region: Region?
    /// The endpoints of query services that answer what this region cannot; if empty, such queries are refused.
    public var fallbacks: [String] = []
    /// Whether the service may listen without accounts where other machines can connect.
    public var isInsecure = false
    /// The sources to fetch, and how often.
    public var sources: [SourceDefinition] = []
    /// The time zones of opening hours.
    public var zones = PlaceZones()
    /// The path of a gazetteer; nil for the gazetteer inside the program.
    public var gazetteer: String?
    /// The source of currency rates; nil if the service has no rates.
    public var rates: RatesSource?
    /// The maximum number of connections, as far as the limit of open files allows.
    public var connections = 4_096
    /// Whether the process also listens for HTTP, whose connections need many of the open files.
    public var isBesideWeb = false
    /// The options of the relay; nil if clients follow storage's own feed.
    public var relay: RelayOptions?
    /// Keys and endpoints for accounts; nil if every client that can connect may do everything.
    public var access: QueryAccess?
    /// The protocol versions that the service speaks. Only tests change them.
    package var protocolVersions = WaymarkProtocol.versions
    /// The longest wait for a change, in milliseconds. Tests set another number.
    package var longestWait = WaymarkProtocol.longestWaitMilliseconds

    public init(
        listen: String = WaymarkProtocol.defaultQueryEndpoint,
        storage: String = WaymarkProtocol.defaultCommandEndpoint
    ) {
        self.listen = listen
        storages = [storage]
    }

    /// The filter of the snapshot and of the feed; nil if there is no region.
    var feedFilter: FeedFilter? { region.map { FeedFilter(area: $0.area) } }

    /// Storage's endpoints, for log lines and errors.
    var storageNames: String { storages.joined(separator: ", ") }
}
