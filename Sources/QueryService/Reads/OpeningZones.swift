// SPDX-License-Identifier: Apache-2.0

import Gazetteer
import Geodesy
import Logging
import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

/// The time zones for reading opening hours. They come from the configuration; for landmarks without a configured zone,
/// they come from the gazetteer.
final class OpeningZones {
    /// The maximum number of queries that wait while the gazetteer is loaded, which takes a tenth of a second.
    private static let mostWaiting = 1_024

    private let options: QueryOptions
    private let home: Home
    private let answers: Replies
    private let handlers: RequestHandlers
    private(set) var cache: OpeningHoursCache
    /// Called when `cache` has been replaced.
    var changed: () -> Void = {}
    /// Whether loading the gazetteer has ended, successfully or not.
    private var isLoaded = false
    private var waiting: [(command: WireRequest.OneOf_Command, request: IncomingRequest)] = []

    init(_ options: QueryOptions, home: Home, answers: Replies, handlers: RequestHandlers) {
        (self.options, self.home, self.answers, self.handlers) = (options, home, answers, handlers)
        cache = OpeningHoursCache(options.zones)
    }

    /// Applies changed time zones of the sources.
    func apply(_ zones: PlaceZones) {
        cache = OpeningHoursCache(
            PlaceZones(
                sources: zones.sources, standard: cache.zones.standard, nearest: cache.zones.nearest))
        changed()
    }

    /// Keeps a query that asks which landmarks are open until the gazetteer is loaded, if the query needs the
    /// gazetteer. The gazetteer takes some 43 MB of memory, so a service without opening hours, or without such
    /// queries, never loads it.
    ///
    /// - Parameter hasHours: whether any landmark has opening hours.
    /// - Returns: whether the query was kept or refused; false if the caller has to answer it now.
    func keep(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest, hasHours: Bool) -> Bool {
        guard !isLoaded, hasHours, options.zones.standard == nil, options.zones.nearest == nil, command.asksOpenings
        else { return false }
        guard waiting.count < Self.mostWaiting else {
            answers.refuse(
                request.address,
                ServiceError(.busy, "The towns of the world are being loaded: try again.", retryAfter: 200))
            return true
        }
        waiting.append((command, request))
        answers.assembling += 1
        guard waiting.count == 1 else { return true }
        let path = options.gazetteer
        home.spawn {
            let loaded = await Task.detached {
                Result { () throws(GazetteerError) in try Gazetteer.configured(path) }
            }.value
            self.loaded(loaded)
        }
        return true
    }

    private func loaded(_ result: Result<Gazetteer, GazetteerError>) {
        isLoaded = true
        switch result {
        case .success(let gazetteer):
            let nearest: PlaceZones.Nearest = { latitude, longitude in
                guard let place = try? Coordinate(latitude: latitude, longitude: longitude) else { return nil }
                return gazetteer.zone(at: place)
            }
            cache = OpeningHoursCache(PlaceZones(sources: cache.zones.sources, nearest: nearest))
            changed()
        case .failure(let error):
            home.logger.error(
                "the towns cannot be loaded: opening hours without a configured zone are unknown",
                metadata: ["error": "\(error)"])
        }
        let kept = waiting
        waiting = []
        for (command, request) in kept {
            answers.assembling -= 1
            handlers.handle(command, request)
        }
    }
}

extension WireRequest.OneOf_Command {
    fileprivate var asksOpenings: Bool {
        switch self {
        case .near(let near): near.hasOpening
        case .list(let list): list.hasOpening
        default: false
        }
    }
}
