// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import WaymarkLoad
import WaymarkProtocol

/// Generated landmarks as ingest requests, built before anything is measured.
final class World: Sendable {
    static let rows = 1_000
    private static let source = "generated"

    let requests: [[UInt8]]

    init(landmarks: Int, seed: UInt64) {
        var operation = IngestOperation(
            source: Self.source, rows: Self.rows, around: nil, seed: seed, run: "", of: landmarks)
        requests = (1...(landmarks + Self.rows - 1) / Self.rows).map { number in
            var body: [UInt8] = []
            operation.append(UInt64(number), to: &body)
            return body
        }
    }

    /// A landmark at each of these places.
    init(places: [Coordinate]) {
        requests = stride(from: 0, to: places.count, by: Self.rows).map { first in
            let request = WireRequest.with {
                $0.ingest.source = Self.source
                $0.ingest.rows = (first..<min(first + Self.rows, places.count)).map { number in
                    let draft = WireLandmarkDraft.with {
                        ($0.name, $0.attributes.kind) = ("Place \(number)", "place")
                        ($0.lat, $0.lng) = (places[number].latitude, places[number].longitude)
                    }
                    return WireSourceRow("\(number)", draft)
                }
            }
            return (try? request.serializedBytes()) ?? []
        }
    }

    /// The positions of the landmarks, indexed by the number in their key.
    func points() throws -> [Coordinate] {
        try requests.flatMap { request in
            try WireRequest(serializedBytes: request).ingest.rows.map {
                try LandmarkDraft(encoded: $0.draft).coordinate
            }
        }
    }

    /// Places asked about, drawn in the way of the load tester's `near`.
    static func questions(_ count: Int, seed: UInt64) -> [Coordinate] {
        var world = LoadWorld(seed: seed, stream: 1)
        return (0..<count).map { _ in world.position() }
    }
}

/// Requests that were built in advance.
struct ReadyIngest: LoadOperation {
    let name = "ingest"
    let world: World

    func append(_ number: UInt64, to body: inout [UInt8]) {
        body += world.requests[Int(number - 1) % world.requests.count]
    }

    func fault(_ reply: ReplyReader) -> String? {
        guard let told = reply.ingested else { return ReplyReader.unreadable }
        return told.isRejected ? "rejected_rows" : nil
    }
}
