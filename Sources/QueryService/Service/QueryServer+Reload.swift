// SPDX-License-Identifier: Apache-2.0

import Ingest
import Logging
import ServiceHost
public import Settings

/// Sources that are added and removed while the service runs.
extension QueryServer {
    public nonisolated var liveSettings: Set<String> { ["sources"] }

    /// Applies the new list of sources. A fetch that is under way ends under the old settings. The landmarks of a
    /// removed source stay.
    ///
    /// This method must be async: async code would otherwise call the protocol's default, which does nothing.
    public func apply(_ settings: Settings) async throws {
        let wanted = try QueryOptions(settings)
        let fresh = wanted.sources
        guard server != nil else { return }
        clerk = HoursClerk(
            PlaceZones(
                sources: wanted.zones.sources, standard: options.zones.standard,
                nearest: towns.nearest ?? options.zones.nearest))
        replica?.clerk = clerk
        let old = fetchings.sources
        fetchings.sources = fresh
        for (number, fetching) in fetchings.running where !fresh.contains(fetching.source) {
            fetchings.running[number]?.retire()
        }
        for source in old where !fresh.contains(where: { $0.name == source.name }) {
            counters.sources[source.name] = nil
            logger.info("source removed", metadata: ["source": "\(source.name)"])
        }
        for source in fresh where !old.contains(source) {
            let before = old.first { $0.name == source.name }
            logger.info(before == nil ? "source added" : "source changed", metadata: ["source": "\(source.name)"])
            let isElsewhere = before.map { $0.location != source.location || $0.format != source.format } ?? false
            beginFetching(source, atOnce: isElsewhere)
        }
    }

    func beginFetching(_ source: SourceDefinition, atOnce isAtOnce: Bool = false) {
        let number = fetchings.add(Fetching(source: source, isAtOnce: isAtOnce))
        fetchings.running[number]?.task = Task { [weak self] in await self?.keepFetching(number) }
    }

    /// Waits until the next fetch. Ends early when the source changes or the service stops.
    func pauseFetching(_ number: Int, for time: Duration) async {
        guard fetchings.running[number]?.isRetired == false else { return }
        let pause = Task { () -> Void in try? await Task.sleep(for: time) }
        fetchings.running[number]?.pause = pause
        await withTaskCancellationHandler {
            await pause.value
        } onCancel: {
            pause.cancel()
        }
    }
}
