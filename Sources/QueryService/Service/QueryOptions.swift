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

    public init(
        listen: String = WaymarkProtocol.defaultQueryEndpoint,
        storage: String = WaymarkProtocol.defaultCommandEndpoint, changes: String? = nil, isInsecure: Bool = false,
        sources: [SourceDefinition] = []
    ) {
        self.listen = listen
        self.storage = storage
        self.changes = changes
        self.isInsecure = isInsecure
        self.sources = sources
    }
}
