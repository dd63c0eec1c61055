// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import WaymarkClient
import WaymarkLoad
import WaymarkProtocol

/// Landmarks that move about a city.
struct Fleet: Sendable {
    let ids: [Landmark.ID]

    init(_ stage: Stage, _ count: Int) async throws {
        let client = try await stage.client()
        var ids: [Landmark.ID] = []
        for number in 0..<count {
            ids.append(
                try await client.add(LandmarkDraft(name: "track \(number)", coordinate: Self.place(0, 0))).id)
        }
        self.ids = ids
        await client.close()
    }

    /// - Parameters: 0 to 1 from the city's south to its north, and from west to east.
    static func place(_ north: Double, _ east: Double) throws -> Coordinate {
        try Coordinate(latitude: -34 + 0.3 * north, longitude: 151 + 0.3 * east)
    }

    /// Where a track is: some ten metres from where it was a second before.
    func place(_ track: Int, at second: UInt64) throws -> Coordinate {
        let (phase, turn) = (Double(track) * 0.7, Double(second) / 900)
        return try Self.place(0.5 + 0.5 * sin(phase + turn), 0.5 + 0.5 * cos(1.3 * phase + 1.1 * turn))
    }
}

struct FleetOperation: LoadOperation {
    let name: String
    let fleet: Fleet
    /// Added to the numbers, so that no run repeats the places of another one.
    let first: UInt64

    func append(_ number: UInt64, to body: inout [UInt8]) {
        let number = first + number
        let track = Int(number % UInt64(fleet.ids.count))
        guard let place = try? fleet.place(track, at: number / UInt64(fleet.ids.count)) else { return }
        let request = WireRequest.with { request in
            let point = WirePoint.with { ($0.lat, $0.lng) = (place.latitude, place.longitude) }
            switch name {
            case "move": request.move = .with { ($0.id, $0.at) = (fleet.ids[track].wire, point) }
            case "edit": request.edit = .with { ($0.id, $0.at) = (fleet.ids[track].wire, point) }
            default:
                request.add.draft = .with {
                    ($0.name, $0.lat, $0.lng) = ("added \(number)", place.latitude, place.longitude)
                }
            }
        }
        body += (try? request.serializedBytes()) ?? []
    }

    func fault(_ reply: ReplyReader) -> String? { reply.isWritten ? nil : ReplyReader.unreadable }
}
