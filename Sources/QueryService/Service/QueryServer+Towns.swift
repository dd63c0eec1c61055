// SPDX-License-Identifier: Apache-2.0

import Gazetteer
import Geodesy
import WaymarkProtocol
internal import WaymarkTransport

/// The gazetteer, by which opening hours are read whose time zone is not configured.
extension QueryServer {
    /// The most questions that wait until it is loaded, which takes a tenth of a second.
    private static let mostWaiting = 1_024

    /// Whether the command asks for openings, there may be some, and the gazetteer is needed for them and not loaded yet.
    func needsTowns(_ command: WireRequest.OneOf_Command) -> Bool {
        guard !towns.isLoaded, options.zones.standard == nil, options.zones.nearest == nil, replica?.hasHours == true
        else { return false }
        return switch command {
        case .near(let near): near.hasOpening
        case .list(let list): list.hasOpening
        default: false
        }
    }

    /// Handles the request once the gazetteer is loaded, away from the loop. It takes some 43 MB from then on, so a
    /// service without opening hours, as one that nobody asks for them, does without it.
    func loadTowns(for command: WireRequest.OneOf_Command, _ request: IncomingRequest) {
        guard towns.waiting.count < Self.mostWaiting else {
            return refuse(
                request.address, ServiceError(.busy, "The towns of the world are being loaded.", retryAfter: 200))
        }
        towns.waiting.append((command, request))
        work.assembling += 1
        guard towns.waiting.count == 1 else { return }
        let path = options.gazetteer
        Task {
            let loaded = await Task.detached {
                Result { () throws(GazetteerError) in try Gazetteer.configured(path) }
            }.value
            took(loaded)
        }
    }

    private func took(_ loaded: Result<Gazetteer, GazetteerError>) {
        towns.isLoaded = true
        switch loaded {
        case .success(let gazetteer):
            let nearest: PlaceZones.Nearest = { latitude, longitude in
                guard let place = try? Coordinate(latitude: latitude, longitude: longitude) else { return nil }
                return gazetteer.zone(at: place)
            }
            towns.nearest = nearest
            clerk = HoursClerk(PlaceZones(sources: clerk.zones.sources, nearest: nearest))
            replica?.clerk = clerk
        case .failure(let error):
            logger.error(
                "the towns cannot be loaded: opening hours without a configured zone are unknown",
                metadata: ["error": "\(error)"])
        }
        let waiting = towns.waiting
        towns.waiting = []
        for (command, request) in waiting {
            work.assembling -= 1
            handle(command, request)
        }
    }
}

/// Whether the gazetteer was loaded, and what waits for it.
struct TownsState {
    /// Also true after it could not be loaded.
    var isLoaded = false
    /// Nil unless it was loaded.
    var nearest: PlaceZones.Nearest?
    var waiting: [(command: WireRequest.OneOf_Command, request: IncomingRequest)] = []
}
