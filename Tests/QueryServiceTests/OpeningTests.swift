// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import OpeningHours
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@testable import QueryService

@Suite("Questions for what is open", .computing)
struct OpeningTests {
    /// Monday, 2026-11-23, 10:00 in Sydney, midnight in Berlin; Unix milliseconds.
    private static let monday: UInt64 = 1_795_388_400_000

    private static func landmark(
        _ number: UInt64, _ hours: String, source: String = "", lat: Double = -33.8
    ) -> WireLandmark {
        .with {
            $0.id = UUIDv7(high: 7, low: number).wire
            ($0.name, $0.rev, $0.openingHours) = ("n\(number % 7)", number, hours)
            ($0.lat, $0.lng) = (lat, 151 + Double(number) * 1e-4)
            if !source.isEmpty { $0.source = .with { ($0.name, $0.key) = (source, "\(number)") } }
        }
    }

    private static func replica(
        _ landmarks: [WireLandmark], _ zones: PlaceZones = PlaceZones(standard: "Australia/Sydney")
    ) throws -> Replica {
        var snapshot = ReplicaSnapshot(at: Position(epoch: UUIDv7(high: 1, low: 1), rev: 9_999))
        for start in stride(from: 0, to: landmarks.count, by: 1_000) {
            let page = WireReply.with {
                $0.snapshot.landmarks = Array(landmarks[start..<min(start + 1_000, landmarks.count)])
            }
            try snapshot.append(page: page.serializedBytes())
        }
        let replica = Replica(snapshot)
        replica.hoursCache = OpeningHoursCache(zones)
        return replica
    }

    private static func near(
        limit: Int = 20, at: UInt64 = monday, openOnly: Bool = false, after: Data = Data()
    ) -> WireNear {
        .with {
            ($0.lat, $0.lng, $0.limit, $0.after) = (-33.8, 151, UInt32(limit), after)
            $0.opening = .with { ($0.at, $0.openOnly) = (at, openOnly) }
        }
    }

    private static func hits(_ answering: Answering) throws -> WireHits {
        try WireReply(serializedBytes: try answering.whole().encoded).hits
    }

    private static func numbers(_ hits: WireHits) -> [UInt64] {
        hits.hits.compactMap { UUIDv7(bytes: $0.landmark.id)?.low }
    }

    @Test("open, closed or unknown, until when, and by which zone")
    func states() throws {
        let texts = [
            "Mo-Fr 09:00-17:00", "Mo off; Tu 10:00-12:00", "\"by appointment\"", "not understood", "", "24/7",
            "PH 09:00-12:00", "24/7; " + String(repeating: "x", count: 2_000),
        ]
        let landmarks = texts.enumerated().map { Self.landmark(UInt64($0.offset + 1), $0.element) }
        let replica = try Self.replica(landmarks)
        let all = try Self.hits(replica.near(Self.near()))
        #expect(all.openingAt == Self.monday && Self.numbers(all) == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(
            all.hits.map(\.opening.state) == [.open, .closed, .unknown, .unknown, .unknown, .open, .unknown, .unknown])
        #expect(all.hits.map(\.hasOpening) == [true, true, true, true, false, true, true, true])
        let first = all.hits[0].opening
        // 17:00 in Sydney, where it is summer.
        #expect(first.until == Self.monday + 7 * 3_600_000 && first.offset == 39_600)
        #expect(first.zone == "Australia/Sydney" && first.zoneAssumed)
        #expect(all.hits[1].opening.until == Self.monday + 24 * 3_600_000)
        #expect(all.hits[3].opening.zone == "Australia/Sydney" && all.hits[3].opening.until == 0)
        #expect(all.hits[2].opening.comment == "by appointment" && all.hits[5].opening.until == 0)
        let open = try Self.hits(replica.near(Self.near(openOnly: true)))
        #expect(Self.numbers(open) == [1, 6])
        // A question that does not ask is not told.
        let plain = try Self.hits(replica.near(.with { ($0.lat, $0.lng) = (-33.8, 151) }))
        #expect(plain.openingAt == 0 && plain.hits.allSatisfy { !$0.hasOpening })
    }

    @Test("the zone of the source, else the one for all, else the nearest, else none")
    func zones() throws {
        let hours = "09:00-17:00"
        let landmarks = [
            Self.landmark(1, hours, source: "berlin"), Self.landmark(2, hours, source: "other"),
            Self.landmark(3, hours, lat: 50), Self.landmark(4, "24/7"), Self.landmark(5, hours, source: "odd"),
        ]
        let sources = ["berlin": "Europe/Berlin", "odd": "Nowhere/At-all"]
        let nearest: @Sendable (Double, Double) -> String? = { latitude, _ in latitude > 0 ? "Europe/Berlin" : nil }
        func states(_ zones: PlaceZones) throws -> [UInt64: WireOpening] {
            let hits = try Self.hits(Self.replica(landmarks, zones).near(Self.near())).hits
            return Dictionary(
                uniqueKeysWithValues: hits.map { (UUIDv7(bytes: $0.landmark.id)?.low ?? 0, $0.opening) })
        }
        let standard = try states(PlaceZones(sources: sources, standard: "Australia/Sydney", nearest: nearest))
        #expect(standard[1]?.zone == "Europe/Berlin" && standard[1]?.zoneAssumed == false)
        #expect(standard[1]?.state == .closed && standard[2]?.state == .open && standard[2]?.zoneAssumed == true)
        #expect(standard[3]?.zone == "Australia/Sydney")
        let guessed = try states(PlaceZones(sources: sources, nearest: nearest))
        #expect(guessed[3]?.zone == "Europe/Berlin" && guessed[3]?.zoneAssumed == true)
        #expect(guessed[2]?.state == .unknown && guessed[2]?.zone == "" && guessed[4]?.state == .open)
        #expect(guessed[5]?.state == .unknown)
    }

    @Test("every page is of the moment of the first one, and a cursor fits only its question")
    func moment() throws {
        let replica = try Self.replica((1...30).map { Self.landmark($0, "Mo 09:00-10:30") })
        let first = try Self.hits(replica.near(Self.near(limit: 10, openOnly: true)))
        #expect(Self.numbers(first) == Array(1...10))
        // Hours later, asked for "now".
        let second = try Self.hits(replica.near(Self.near(limit: 10, at: 0, openOnly: true, after: first.cursor)))
        #expect(Self.numbers(second) == Array(11...20) && second.openingAt == Self.monday)
        let third = try Self.hits(
            replica.near(Self.near(limit: 100, at: Self.monday, openOnly: true, after: second.cursor)))
        #expect(Self.numbers(third) == Array(21...30) && third.cursor.isEmpty)
        // Another moment, a cursor without one, and a moment far away.
        let plain = try Self.hits(replica.near(Self.near(limit: 10)))
        for near in [
            Self.near(at: Self.monday + 1, openOnly: true, after: first.cursor),
            Self.near(openOnly: true, after: plain.cursor), Self.near(at: .max),
        ] {
            let refusal = #expect(throws: ServiceError.self) { try replica.near(near) }
            #expect(refusal?.code == .invalid)
        }
        // One that only tells takes any.
        let told = try Self.hits(replica.near(Self.near(limit: 10, at: 0, after: plain.cursor)))
        #expect(Self.numbers(told) == Array(11...20) && told.openingAt != Self.monday)
        #expect(try Self.numbers(Self.hits(replica.near(Self.near(limit: 10, after: first.cursor)))) == Array(11...20))
    }

    @Test("in every order, page by page, as when every landmark is examined")
    func model() throws {
        var random = SplitMix64(seed: 3)
        let texts = [
            "Mo-Fr 09:00-17:00", "Tu-Su 09:00-17:00", "24/7", "", "?", "sunrise-sunset", "sunset-sunrise",
            "Nov 09:00-11:00", "Mo[4] 10:00-11:00",
        ]
        let landmarks = (1...1_500).map { Self.landmark($0, texts[Int(random.next() % UInt64(texts.count))]) }
        let replica = try Self.replica(landmarks)
        replica.pace = Scan.Pace(step: 64, patience: 200, spare: 20)
        let open = Set(["Mo-Fr 09:00-17:00", "24/7", "sunrise-sunset", "Nov 09:00-11:00", "Mo[4] 10:00-11:00"])
        let wanted = Set(
            landmarks.filter { open.contains($0.openingHours) }.compactMap { UUIDv7(bytes: $0.id)?.low })
        for order in [WireList.Order.byName, .byRecent, .byDistance] {
            var (found, after): ([UInt64], Data) = ([], Data())
            repeat {
                let hits = try Self.hits(
                    replica.list(
                        .with {
                            ($0.order, $0.limit, $0.after) = (order, 1_000, after)
                            ($0.lat, $0.lng) = (-33.8, 151)
                            $0.opening = .with { ($0.at, $0.openOnly) = (Self.monday, true) }
                        }))
                #expect(hits.hits.count <= OpeningHoursEvaluator.mostRows)
                found += Self.numbers(hits)
                after = hits.cursor
            } while !after.isEmpty
            #expect(Set(found) == wanted && found.count == wanted.count, "\(order)")
            if order == .byDistance { #expect(found == found.sorted()) }
        }
    }

    @Test("many different texts are read in small steps")
    func bounded() throws {
        let replica = try Self.replica(
            (1...2_000).map { number in
                Self.landmark(number, "Tu \(number % 12 + 10):00-\(number % 12 + 11):00 \"\(number)\"")
            } + [Self.landmark(2_001, "Mo 09:00-17:00")])
        var answering = try replica.near(Self.near(openOnly: true))
        var steps = 1
        var reply = try answering.proceed()
        while reply == nil {
            steps += 1
            reply = try answering.proceed()
        }
        let page = try #require(reply?.page)
        #expect(try Self.numbers(WireReply(serializedBytes: page.encoded).hits) == [2_001])
        // A step is 1,024 landmarks that are looked up, and reading one of these texts takes as long as 12.
        #expect(steps > 15)
    }
}
