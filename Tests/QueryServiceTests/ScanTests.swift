// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@testable import QueryService

/// Queries for rare, distant or late landmarks, compared with a model that examines everything.
@Suite("Queries that take several steps", .computing)
struct ScanTests {
    /// A plain copy of all landmarks, beside the replica.
    private struct World {
        var landmarks: [UInt64: WireLandmark] = [:]
        var replica: Replica
        var rev: UInt64 = 0
        var random = SplitMix64(seed: 5)

        /// 900 landmarks that are near and early in the order; 600 "far", of which 20 are Ada's; 30 "rare" anywhere.
        init() throws {
            var snapshot = ReplicaSnapshot(at: Position(epoch: UUIDv7(high: 1, low: 1), rev: 0))
            replica = Replica(snapshot)
            snapshot = ReplicaSnapshot(at: Position(epoch: UUIDv7(high: 1, low: 1), rev: 0))
            for number in 1...1_530 as ClosedRange<UInt64> {
                rev += 1
                landmarks[number] = landmark(number, kind: number <= 900 ? "near" : number <= 1_500 ? "far" : "rare")
            }
            for start in stride(from: UInt64(1), through: rev, by: 1_000) {
                let page = WireReply.with {
                    $0.snapshot.landmarks = (start..<min(start + 1_000, rev + 1)).compactMap { landmarks[$0] }
                }
                try snapshot.append(page: page.serializedBytes())
            }
            replica = Replica(snapshot)
            replica.pace = Scan.Pace(step: 64, patience: 200, spare: 20)
        }

        mutating func landmark(_ number: UInt64, kind: String) -> WireLandmark {
            let isFar = kind == "far" || kind == "rare" && number % 2 == 0
            return .with {
                $0.id = UUIDv7(high: 7, low: number).wire
                // Many have the same name.
                $0.name = (isFar ? "z" : "a") + "\(random.next() % 200)"
                $0.lat = (isFar ? -40 : 40) + random.unit()
                $0.lng = (isFar ? 170 : 10) + random.unit()
                $0.kind = kind
                $0.user = number % 30 == 0 ? "ada" : number % 7 == 0 ? "" : "bo"
                $0.rev = rev
            }
        }

        /// Adds, changes or removes a landmark.
        mutating func change(_ number: UInt64, _ kind: String?) throws {
            rev += 1
            var wire = WireChange.with { $0.rev = rev }
            if let kind {
                wire.operation = landmarks[number] == nil ? .added : .changed
                wire.landmark = landmark(number, kind: kind)
                landmarks[number] = wire.landmark
            } else {
                guard let known = landmarks.removeValue(forKey: number) else { return }
                wire.operation = .removed
                wire.landmark = known
            }
            try replica.apply(EncodedChange(wire))
        }

        /// The numbers of the matching landmarks in the order.
        func first(_ limit: Int, _ filter: WireFilter, _ order: WireList.Order) throws -> [UInt64] {
            var rows = landmarks.filter {
                isCovered($0.value, filter) && (!filter.hasKind || $0.value.kind == filter.kind)
                    && (filter.kinds.isEmpty || filter.kinds.contains($0.value.kind))
                    && (!filter.hasUser || $0.value.user == filter.user)
            }.map { (number: $0.key, landmark: $0.value, distance: 0.0) }
            switch order {
            case .byRecent: rows.sort { $0.landmark.rev > $1.landmark.rev }
            case .byDistance:
                for index in rows.indices {
                    rows[index].distance = Geodesic.distance(
                        from: try Coordinate(latitude: 40.5, longitude: 10.5),
                        to: try Coordinate(latitude: rows[index].landmark.lat, longitude: rows[index].landmark.lng))
                }
                rows.sort { ($0.distance, $0.number) < ($1.distance, $1.number) }
            default: rows.sort { ($0.landmark.name, $0.number) < ($1.landmark.name, $1.number) }
            }
            return rows.prefix(limit).map(\.number)
        }

        private func isCovered(_ landmark: WireLandmark, _ filter: WireFilter) -> Bool {
            guard let area = (try? LandmarkFilter(filter))?.area,
                let here = try? Coordinate(latitude: landmark.lat, longitude: landmark.lng)
            else { return true }
            return area.contains(here)
        }

        func ask(
            _ limit: Int, _ filter: WireFilter, _ order: WireList.Order, after: Data = Data()
        ) throws -> Answering {
            try replica.list(
                .with {
                    ($0.order, $0.limit, $0.after, $0.filter) = (order, UInt32(limit), after, filter)
                    ($0.lat, $0.lng) = (40.5, 10.5)
                })
        }
    }

    private static let orders: [WireList.Order] = [.byName, .byRecent, .byDistance]

    private func numbers(_ reply: HitsReply) throws -> (rows: [UInt64], cursor: Data) {
        let hits = try WireReply(serializedBytes: reply.encoded).hits
        return (hits.hits.compactMap { UUIDv7(bytes: $0.landmark.id)?.low }, hits.cursor)
    }

    /// A part of where the far ones are.
    private func triangle(_ kind: String? = nil) -> WireFilter {
        var filter = filter(kind)
        filter.polygon.rings = [.with { $0.degrees = [170.2, -41, 171, -39.1, 171, -41] }]
        return filter
    }

    private func filter(_ kind: String? = nil, _ user: String? = nil) -> WireFilter {
        .with {
            if let kind { $0.kind = kind }
            if let user { $0.user = user }
        }
    }

    @Test("every order and filter, page by page, also after changes of all kinds")
    func model() throws {
        var world = try World()
        for round in 0..<2 {
            for order in Self.orders {
                for filter in [
                    filter(), filter("near"), filter("far"), filter("rare"), filter("far", "ada"), filter("far", ""),
                    filter(nil, ""), triangle(), triangle("far"), .with { $0.kinds = ["rare", "near", "never"] },
                    .with { ($0.kinds, $0.user) = (["rare", "far"], "ada") },
                ] {
                    var (listed, cursor): ([UInt64], Data) = ([], Data())
                    repeat {
                        let page = try numbers(try world.ask(40, filter, order, after: cursor).whole())
                        listed += page.rows
                        cursor = page.cursor
                    } while !cursor.isEmpty && listed.count < 100
                    let wanted = try world.first(listed.count, filter, order)
                    #expect(listed == wanted && !listed.isEmpty, "\(round) \(order) \(filter)")
                }
            }
            let none = try numbers(try world.ask(5, filter("none"), .byName).whole())
            #expect(none.rows.isEmpty && none.cursor.isEmpty)
            for _ in 0..<500 {
                let number = world.random.next() % 1_600 + 1
                let kind = ["near", "far", "rare", nil][Int(world.random.next() % 20) % 4]
                try world.change(number, kind == "rare" && number % 10 > 0 ? "far" : kind)
            }
        }
    }

    @Test("the answer reflects the state at its end, whatever changes meanwhile", arguments: Self.orders)
    func changing(order: WireList.Order) throws {
        for (changes, removed) in [(1, 1), (5, 2), (200, 20)] {
            var world = try World()
            // The newest landmarks must not be the far ones.
            for number in 1...300 as ClosedRange<UInt64> { try world.change(number, "near") }
            var answering = try world.ask(30, filter("far"), order)
            var goes = 1
            do {
                var reply = try answering.proceed()
                while reply == nil {
                    // Changes also landmarks that were already found, and ones that would now come first.
                    for _ in 0..<changes {
                        let number = world.random.next() % 650 + 901
                        try world.change(number, ["far", "far", "near", nil][Int(world.random.next() % 4)])
                    }
                    for number in try world.first(removed, filter("far"), order) { try world.change(number, nil) }
                    goes += 1
                    reply = try answering.proceed()
                }
                #expect(try numbers(try #require(reply?.page)).rows == world.first(30, filter("far"), order))
            } catch let error as ServiceError {
                #expect(error.code == .busy && changes == 200)
            }
            #expect(goes > 1)
        }
    }

    @Test("too many changes at each step end in a refusal instead of never")
    func givenUp() throws {
        var world = try World()
        var answering = try world.ask(30, filter("far"), .byName)
        let failure = #expect(throws: ServiceError.self) {
            for _ in 0..<1_000 {
                for number in try world.first(25, filter("far"), .byName) {
                    try world.change(number, nil)
                    try world.change(number, "far")
                }
                if try answering.proceed() != nil { return }
            }
        }
        #expect(failure?.code == .busy)
    }

    @Test("rare landmarks are found in one step, without examining others")
    func atOnce() throws {
        let world = try World()
        for order in Self.orders {
            for filter in [filter("rare"), filter(nil, "ada"), filter()] {
                var answering = try world.ask(20, filter, order)
                #expect(try answering.proceed() != nil, "\(order) \(filter)")
            }
            // The last landmarks of the snapshot are mostly far ones.
            for (kind, comesFirst) in [("near", order != .byRecent), ("far", order == .byRecent)] {
                var answering = try world.ask(20, filter(kind), order)
                #expect(try (answering.proceed() != nil) == comesFirst, "\(order) \(kind)")
                answering.abandon()
            }
        }
    }
}
