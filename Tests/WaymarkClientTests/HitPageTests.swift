// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@testable import WaymarkClient

@Suite("Rows that are decoded when they are read", .computing)
struct HitPageTests {
    private static let freshness = Freshness(
        position: Position(epoch: UUIDv7(high: 1, low: 1), rev: 9), age: 0, isStorageAway: false)

    private static func landmark(_ random: inout SplitMix64) throws -> Landmark {
        let place = try Coordinate(
            latitude: Double(random.next() % 180) - 90, longitude: Double(random.next() % 360) - 180)
        var landmark = Landmark(
            id: UUIDv7(high: random.next(), low: random.next()), name: "Plage d’Été", coordinate: place,
            user: random.next() % 2 == 0 ? "ann" : "", version: random.next() % 9 + 1)
        (landmark.rev, landmark.created, landmark.updated) = (random.next() % 99, 1_700_000_000_000, 1_700_000_000_001)
        for attribute in Attribute.allCases where random.next() % 2 == 0 {
            switch attribute.form {
            case .text(let access, _): landmark.attributes[access] = "é x"
            case .number(let access, _): landmark.attributes[access] = 4.5
            }
        }
        if random.next() % 2 == 0 { landmark.source = SourceKey(name: "points", key: "a\"b") }
        for _ in 0..<random.next() % 3 {
            landmark.notes.append(Note(id: UUIDv7(high: 5, low: random.next()), text: "t", user: "bob", at: 1))
        }
        return landmark
    }

    private static func reply(_ random: inout SplitMix64) throws -> [UInt8] {
        let hits = try (0..<random.next() % 4).map { _ in
            let landmark = try landmark(&random)
            return WireRawHit.with {
                $0.landmark = Data(landmark.encoded)
                if random.next() % 2 == 0 { ($0.distanceM, $0.bearingDeg) = (1.5, 2.5) }
                if random.next() % 3 == 0 { $0.opening = Data(WireOpening.with { $0.zone = "Europe/Paris" }.encoded) }
            }
        }
        return WireRawReply.with {
            ($0.hits.hits, $0.hits.truncated) = (hits, random.next() % 2 == 0)
            if random.next() % 2 == 0 { ($0.hits.cursor, $0.hits.openingAt) = (Data([1, 2]), 5) }
        }.encoded
    }

    /// The rows as the generated code and the decoder of landmarks read them; nil if one of them refuses.
    private static func decoded(_ reply: [UInt8]) -> (hits: [Hit], wire: WireRawHits)? {
        guard let wire = try? WireRawReply(serializedBytes: reply), case .hits(let hits)? = wire.result,
            hits.openingAt <= UnixTime.latest, let rows = try? hits.hits.map({ try Hit($0) })
        else { return nil }
        return (rows, hits)
    }

    /// Whether the bytes have a form that only the generated code reads, such as groups. No service sends them.
    private static func isUnusual(_ bytes: [UInt8], depth: Int = 0) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var (fields, isUnusual) = (WireFields(bytes), false)
            while let (field, value) = fields.next() {
                guard case .bytes(let part) = value, field == [10, 1, 0][depth], depth < 2 else { continue }
                isUnusual = Self.isUnusual([UInt8](part), depth: depth + 1) || isUnusual
            }
            return isUnusual || !fields.isWhole
        }
    }

    @Test("are accepted and read exactly as if all were decoded on arrival, also if they are damaged")
    func same() throws {
        var random = SplitMix64(seed: 39)
        var (accepted, refused) = (0, 0)
        for round in 0..<8_000 {
            var reply = try Self.reply(&random)
            if round % 8 > 0 { try random.damage(&reply) { try Self.reply(&$0) } }
            // The caller looks at the first field before.
            guard reply.withUnsafeBytes({ WireFields.opening($0) }) == ReplyField.hits.rawValue else { continue }
            let page = try? HitPage(reply: reply, Self.freshness)
            guard let expected = Self.decoded(reply), !Self.isUnusual(reply) else {
                #expect(page == nil, "\(reply)")
                refused += 1
                continue
            }
            accepted += 1
            let found = try #require(page, "\(reply)")
            // As text, because a damaged number may be NaN.
            #expect("\(Array(found.hits))" == "\(expected.hits)")
            #expect(found.cursor ?? Data() == expected.wire.cursor && found.isTruncated == expected.wire.truncated)
            #expect(found.openingAt ?? 0 == expected.wire.openingAt)
            for (index, hit) in expected.hits.enumerated() {
                // JSON is written from the view.
                found.hits.withView(index) { view in
                    let (landmark, attributes) = (view.landmark, hit.landmark.attributes)
                    #expect(landmark.id == hit.landmark.id && landmark.coordinate == hit.landmark.coordinate)
                    #expect(String(decoding: landmark.name, as: UTF8.self) == hit.landmark.name)
                    #expect(String(decoding: landmark.user, as: UTF8.self) == hit.landmark.user)
                    #expect(landmark.source.map { String(decoding: $0.key, as: UTF8.self) } == hit.landmark.source?.key)
                    #expect(landmark.notes.map(\.id) == hit.landmark.notes.map(\.id))
                    #expect(landmark.notes.map(\.at) == hit.landmark.notes.map(\.at))
                    #expect(landmark.version == hit.landmark.version && landmark.rev == hit.landmark.rev)
                    #expect(landmark.created == hit.landmark.created && landmark.updated == hit.landmark.updated)
                    #expect(landmark.account == hit.landmark.account)
                    #expect(view.distance?.bitPattern == hit.distance?.bitPattern && view.opening == hit.opening)
                    for attribute in Attribute.allCases {
                        switch (attribute.form, landmark.value(of: attribute)) {
                        case (.text(let access, _), .bytes(let text)?):
                            #expect(String(decoding: text, as: UTF8.self) == attributes[access])
                        case (.number(let access, _), .fixed64(let bits)?):
                            #expect(attributes[access]?.bitPattern == bits)
                        case (.text(let access, _), nil): #expect(attributes[access].isEmpty)
                        case (.number(let access, _), nil): #expect(attributes[access] == nil)
                        default: Issue.record("\(attribute) has another type")
                        }
                    }
                }
            }
        }
        #expect(accepted > 1_000 && refused > 1_000)
    }
}
