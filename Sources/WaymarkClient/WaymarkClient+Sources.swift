// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

extension WaymarkClient {
    /// Returns the fetched sources, each with its state.
    public func sources() async throws(ClientError) -> [SourceState] {
        try await ask(.with { $0.sources = WireSources() }, \.sources) { $0.sources.map(SourceState.init) }
    }

    /// Removes the landmarks of a source and its state, that is, the table of its rows and the log of its fetches. This
    /// takes several requests. If one fails, the removals before it stay, and a second call finishes the rest.
    ///
    /// A source that is configured at a query service comes back with the next fetch.
    ///
    /// - Parameters:
    ///   - withNotes: whether to remove landmarks with people's notes too, together with the notes.
    ///   - progress: called with the counts so far, after each request that removed landmarks.
    public func removeSource(
        _ name: String, withNotes: Bool = false, progress: @Sendable (RemovedSource) -> Void = { _ in }
    ) async throws(ClientError) -> RemovedSource {
        try await RemovedSource(removing: name, withNotes: withNotes, by: self, progress: progress)
    }
}
