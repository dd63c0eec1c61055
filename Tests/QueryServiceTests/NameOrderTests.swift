// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@testable import QueryService

/// The orders of lists, compared with plain sorted arrays, also for names that are hard to order.
@Suite("Lists by name and by revision", .computing)
struct NameOrderTests {
    /// Names that begin alike, are equal, empty, long, not ASCII, or differ in case, accents or bytes of zero.
    private static func name(_ random: inout SplitMix64) -> String {
        let number = random.next() % 60
        switch random.next() % 9 {
        case 0: return ""
        case 1: return "Same"
        case 2: return String(repeating: "a", count: Int(number))
        case 3: return "The same long beginning of many names \(number)"
        case 4: return ["Äther", "äther", "ATHER", "éclair", "日本", "日本橋", "ﬁn", "ÿ"][Int(number % 8)]
        case 5: return "abcdefgh" + String(repeating: "\0", count: Int(number % 12)) + (number % 2 == 0 ? "x" : "")
        case 6: return String(repeating: "z", count: 8 * Int(number % 6)) + ["", "a", "é"][Int(number % 3)]
        case 7: return String(repeating: "long ", count: 50) + "\(number % 7)"
        default: return "\(random.next())"
        }
    }

    private struct World {
        var landmarks: [UInt64: WireLandmark] = [:]
        var replica: Replica
        var rev: UInt64 = 0
        var random: SplitMix64

        init(_ count: UInt64, seed: UInt64, names: (inout SplitMix64) -> String) throws {
            random = SplitMix64(seed: seed)
            var snapshot = ReplicaSnapshot(at: Position(epoch: UUIDv7(high: 1, low: 1), rev: 0))
            var page = WireSnapshotPage()
            for number in 0..<count {
                // Neither the ids nor the revisions are in the order of arrival.
                let landmark = Self.landmark(number, rev: ((number + 1) * 7_919) % 65_521, names(&random))
                landmarks[number] = landmark
                page.landmarks.append(landmark)
            }
            rev = 70_000
            try snapshot.append(page: WireReply.with { $0.snapshot = page }.serializedBytes())
            replica = Replica(snapshot)
        }

        static func landmark(_ number: UInt64, rev: UInt64, _ name: String) -> WireLandmark {
            .with {
                $0.id = UUIDv7(high: 7, low: number &* 0x9E37_79B9_7F4A_7C15).wire
                ($0.name, $0.rev) = (name, rev)
                ($0.lat, $0.lng) = (Double(number % 80), Double(number % 170))
                $0.kind = ["view", ""][Int(number % 2)]
            }
        }

        mutating func change(_ number: UInt64, _ name: String?) throws {
            rev += 1
            let known = landmarks[number]
            guard let landmark = name.map({ Self.landmark(number, rev: rev, $0) }) ?? known else { return }
            let change = WireChange.with {
                $0.rev = rev
                $0.operation = name == nil ? .removed : known == nil ? .added : .changed
                $0.landmark = landmark
            }
            landmarks[number] = name == nil ? nil : landmark
            try replica.apply(EncodedChange(change))
        }

        func listed(_ order: WireList.Order, limit: UInt32) throws -> [Data] {
            var (rows, cursor): ([Data], Data) = ([], Data())
            repeat {
                var answering = try replica.list(.with { ($0.order, $0.limit, $0.after) = (order, limit, cursor) })
                let hits = try WireReply(serializedBytes: try #require(try answering.proceed()?.page).encoded).hits
                rows += hits.hits.map(\.landmark.id)
                cursor = hits.cursor
            } while !cursor.isEmpty && rows.count <= landmarks.count
            return rows
        }

        func expectSame(limit: UInt32) throws {
            let named = landmarks.values.map { (name: [UInt8](TextFolding.forSorting($0.name).utf8), id: $0.id) }.sorted
            {
                $0.name == $1.name
                    ? $0.id.lexicographicallyPrecedes($1.id) : $0.name.lexicographicallyPrecedes($1.name)
            }
            #expect(try listed(.byName, limit: limit) == named.map(\.id))
            let recent = landmarks.values.sorted { $0.rev > $1.rev }
            #expect(try listed(.byRecent, limit: limit) == recent.map(\.id))
        }
    }

    @Test("equal plain sorted arrays after loading, and page by page after changes", arguments: [0, 40, 1_200])
    func model(count: UInt64) throws {
        var world = try World(count, seed: count + 1, names: Self.name)
        try world.expectSame(limit: 997)
        for round in 1...3 {
            for _ in 0..<300 {
                let number = world.random.next() % max(count, 100)
                switch world.random.next() % 4 {
                case 0: try world.change(number, nil)
                // The name stays, or only its case changes.
                case 1: try world.change(number, world.landmarks[number]?.name.uppercased())
                default: try world.change(number, Self.name(&world.random))
                }
            }
            try world.expectSame(limit: UInt32(round * 40 + 1))
        }
    }

    @Test("many landmarks of one name are listed by id")
    func equal() throws {
        var world = try World(400, seed: 5) { _ in "One name that all of them have" }
        try world.expectSame(limit: 300)
        for _ in 0..<300 {
            let number = world.random.next() % 500
            try world.change(number, number % 3 == 0 ? nil : "One name that all of them have")
        }
        try world.expectSame(limit: 300)
    }
}
