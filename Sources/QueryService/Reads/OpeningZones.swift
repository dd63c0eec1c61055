// SPDX-License-Identifier: Apache-2.0

import Gazetteer
import Geodesy
import Logging
import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

/// The time zones for reading opening hours: those of the configuration, and the gazetteer's for other landmarks.
final class OpeningZones {
    /// The most questions that wait while the gazetteer is loaded, which takes a tenth of a second.
    private static let mostWaiting = 1_024

    private let options: QueryOptions
    private let home: Home
    private let answers: Replies
    private let handlers: RequestHandlers
    private(set) var cache: OpeningHoursCache
    /// Called when another cache has replaced the present one.
    var changed: () -> Void = {}
    /// Whether loading has ended, also if it failed.
    private var isLoaded = false
    /// The gazetteer's look-up; nil unless the gazetteer was loaded.
    private var nearest: PlaceZones.Nearest?
    private var waiting: [(command: WireRequest.OneOf_Command, request: IncomingRequest)] = []

    init(_ options: QueryOptions, home: Home, answers: Replies, handlers: RequestHandlers) {
        (self.options, self.home, self.answers, self.handlers) = (options, home, answers, handlers)
        cache = OpeningHoursCache(options.zones)
    }

    /// Applies changed time zones of sources.
    func apply(_ zones: PlaceZones) {
        cache = OpeningHoursCache(
            PlaceZones(
                sources: zones.sources, standard: options.zones.standard, nearest: nearest ?? options.zones.nearest))
        changed()
    }

    /// Keeps a question for openings until the gazetteer is loaded, if it is needed. Once loaded, the gazetteer takes
    /// some 43 MB, so a service without opening hours, or without questions for them, never loads it.
    ///
    /// - Parameter hasHours: whether any landmark has opening hours.
    /// - Returns: whether the question was kept or refused.
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
            self.nearest = nearest
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
