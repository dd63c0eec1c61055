// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@testable import QueryService

@Suite("The order by prominence", .computing)
struct ProminenceTests {
    private static func landmark(_ number: UInt64, _ random: inout SplitMix64) -> WireLandmark {
        .with {
            $0.id = UUIDv7(high: 7, low: number).wire
            ($0.name, $0.rev) = ("n", number)
            // Some lie at one place.
            ($0.lat, $0.lng) = (-33.8 + Double(random.next() % 40) * 0.01, 151)
            if random.next() % 2 == 0 { $0.rating = Double(random.next() % 11) / 2 }
            if random.next() % 3 == 0 { $0.ratings = Double(random.next() % 4) * 50 }
            if random.next() % 4 == 0 { $0.link = "https://a.example" }
            $0.kind = random.next() % 5 == 0 ? "cafe" : "bar"
            $0.notes = (0..<random.next() % 8).map { note in
                .with { ($0.id, $0.text) = (UUIDv7(high: 8, low: note).wire, "x") }
            }
        }
    }

    /// The formula, once more and from the message.
    private static func score(_ landmark: WireLandmark) -> Double {
        let count = landmark.hasRating ? landmark.hasRatings ? landmark.ratings : 1 : 0
        return (35 + count * landmark.rating) / (10 + count) + 0.02 * Double(min(landmark.notes.count, 5))
            + (landmark.link.isEmpty ? 0 : 0.05)
    }

    private static func replica(_ landmarks: [WireLandmark]) throws -> Replica {
        var snapshot = ReplicaSnapshot(at: Position(epoch: UUIDv7(high: 1, low: 1), rev: 9_999))
        try snapshot.append(page: WireReply.with { $0.snapshot.landmarks = landmarks }.serializedBytes())
        let replica = Replica(snapshot)
        replica.pace = Scan.Pace(step: 64, patience: 200, spare: 20)
        return replica
    }

    private static func near(_ radius: Double?, limit: Int = 37, after: Data = Data()) -> WireNear {
        .with {
            ($0.lat, $0.lng, $0.limit, $0.after, $0.rank) = (-33.8, 151, UInt32(limit), after, .byProminence)
            if let radius { $0.radiusM = radius }
        }
    }

    @Test("page by page, as when every landmark is ranked", arguments: [0, 1_200, 25_000, 48_280.32])
    func model(radius: Double) throws {
        var random = SplitMix64(seed: 11)
        let landmarks = (1...900).map { Self.landmark($0, &random) }
        let replica = try Self.replica(landmarks)
        let centre = try Coordinate(latitude: -33.8, longitude: 151)
        let wanted = try landmarks.compactMap { landmark -> (UInt64, Double, Double)? in
            let there = try Coordinate(latitude: landmark.lat, longitude: landmark.lng)
            let distance = Geodesic.distance(from: centre, to: there)
            guard distance <= radius, landmark.kind == "bar", let id = UUIDv7(bytes: landmark.id) else { return nil }
            return (id.low, Self.score(landmark), distance)
        }.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : ($0.2, $0.0) < ($1.2, $1.0) }.map(\.0)
        var (found, after): ([UInt64], Data) = ([], Data())
        repeat {
            var near = Self.near(radius, after: after)
            near.filter.kind = "bar"
            let page = try WireReply(serializedBytes: replica.near(near).whole().encoded).hits
            #expect(page.hits.allSatisfy { $0.hasDistanceM && $0.distanceM <= radius })
            found += page.hits.compactMap { UUIDv7(bytes: $0.landmark.id)?.low }
            after = page.cursor
        } while !after.isEmpty
        #expect(found == wanted && !wanted.isEmpty)
    }

    /// The steps of half a millisecond that an answer takes.
    private static func steps(_ replica: Replica, _ near: WireNear) throws -> Int {
        var answering = try replica.near(near)
        for step in 1...100_000 where try answering.proceed() != nil { return step }
        return .max
    }

    @Test("only what lies within the radius is ranked, and the opening hours of the rest are not looked at")
    func nearby() throws {
        var random = SplitMix64(seed: 12)
        // Most lie thousands of kilometres away.
        let landmarks = (1...20_000 as ClosedRange<UInt64>).map { number in
            var landmark = Self.landmark(number, &random)
            if number % 10 != 0 { landmark.lat += 50 }
            landmark.openingHours = "Mo-Fr 08:00-\(10 + number % 8):\(10 + number / 8 % 50)"
            return landmark
        }
        let replica = try Self.replica(landmarks)
        replica.pace = Scan.Pace()
        // 2,000 in steps of 512, and one more that finds the end.
        var near = Self.near(48_000)
        #expect(try Self.steps(replica, near) <= 5)
        // With reading their hours, and not those of 20,000.
        near.opening.openOnly = true
        let some = try Self.steps(replica, near)
        #expect(some <= 80)
        // Where more lie within it than are collected first, the others still cost little.
        replica.pace.step = 32
        near.clearOpening()
        #expect(try Self.steps(replica, near) <= 2_000 * 8 / 32 + 18_000 / 32 + 2)
    }

    @Test("few ratings say little, many say much")
    func formula() {
        func score(_ bytes: [UInt8]) -> Double? {
            bytes.withUnsafeBytes { LandmarkView($0).map(Prominence.score) }
        }
        func score(_ rating: Double, _ ratings: Double) -> Double {
            score(WireLandmark.with { ($0.rating, $0.ratings) = (rating, ratings) }.encoded) ?? .nan
        }
        #expect(score(5, 1) < score(4.2, 400) && score(1, 1) > score(2.5, 400) && score(4.2, 400) < score(5, 400))
        #expect(score([]) == 3.5)
    }

    @Test("without a radius, or with one that is too large, it is refused in one sentence")
    func refused() throws {
        let replica = try Self.replica([])
        for radius in [nil, 48_281, .infinity, -1] as [Double?] {
            let refusal = #expect(throws: ServiceError.self) { try replica.near(Self.near(radius)) }
            #expect(refusal?.code == .invalid && refusal?.message.contains("radius") == true)
        }
        // A cursor of another order.
        let other = Data(Cursor.recent(4).bytes)
        let refusal = #expect(throws: ServiceError.self) { try replica.near(Self.near(5, after: other)) }
        #expect(refusal?.code == .invalid && refusal?.message.contains("cursor") == true)
    }
}
