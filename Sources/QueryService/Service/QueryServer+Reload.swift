// SPDX-License-Identifier: Apache-2.0

public import Settings

/// Applying changed settings while the service runs.
extension QueryServer {
    public nonisolated var liveSettings: Set<String> { ["sources"] }

    /// Applies a new list of sources. A fetch in progress ends under the old settings. The landmarks of a removed
    /// source stay.
    ///
    /// The method must be async: otherwise async code would call the protocol's default, which does nothing.
    public func apply(_ settings: Settings) async throws {
        let wanted = try QueryOptions(settings)
        running?.reads.zones.apply(wanted.zones)
        running?.sources.poll(wanted.sources)
    }
}
