// SPDX-License-Identifier: Apache-2.0

public import Ingest

/// The result of one ingest of a configured source.
public struct IngestNews: Sendable {
    public enum Outcome: Sendable {
        case ingested(IngestReport)
        case notModified
        /// The reason of the failure, in one sentence for people.
        case failed(String)
        /// Another query service has fetched the source recently, or is fetching it now.
        case leftToOthers
    }

    public var source: SourceDefinition
    public var outcome: Outcome
}
