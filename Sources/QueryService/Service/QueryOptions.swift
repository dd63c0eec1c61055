// SPDX-License-Identifier: Apache-2.0

public import Ingest
public import WaymarkProtocol

/// What a query service is told before it starts.
public struct QueryOptions: Sendable {
    /// Where requests are taken.
    public var listen: String
    /// Where storage takes requests.
    public var storage: String
    /// Where storage publishes changes; nil: where it says.
    public var changes: String?
    /// Listen also where other machines can reach it.
    public var isInsecure: Bool
    /// What is fetched, and how often.
    public var sources: [SourceDefinition]
    /// Connections at once, as far as file descriptors go round.
    public var connections: Int
    /// What it speaks. Another range is for tests of how releases meet.
    package var protocolVersions = WaymarkProtocol.versions

    public init(
        listen: String = WaymarkProtocol.defaultQueryEndpoint,
        storage: String = WaymarkProtocol.defaultCommandEndpoint, changes: String? = nil, isInsecure: Bool = false,
        sources: [SourceDefinition] = [], connections: Int = 4_096
    ) {
        self.listen = listen
        self.storage = storage
        self.changes = changes
        self.isInsecure = isInsecure
        self.sources = sources
        self.connections = connections
    }
}
