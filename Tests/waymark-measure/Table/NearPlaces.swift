// SPDX-License-Identifier: Apache-2.0

import Geodesy
import WaymarkLoad
import WaymarkProtocol

/// Asks what is near each of these places, again and again.
struct NearPlaces: LoadOperation {
    /// As many places as asking needs for its variety.
    static let size = 8_192

    let name = "near"
    private let requests: [[UInt8]]

    /// - Parameter places: at least one.
    init(_ places: [Coordinate]) {
        requests = places.map { place in
            let request = WireRequest.with {
                $0.near = .with { ($0.lat, $0.lng, $0.limit) = (place.latitude, place.longitude, 20) }
            }
            return (try? request.serializedBytes()) ?? []
        }
    }

    func append(_ number: UInt64, to body: inout [UInt8]) { body += requests[Int(number % UInt64(requests.count))] }

    func fault(_ reply: ReplyReader) -> String? { reply.result == .hits ? nil : ReplyReader.unreadable }
}
