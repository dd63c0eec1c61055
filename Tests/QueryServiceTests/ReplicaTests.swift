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

@Suite("The replica", .computing)
struct ReplicaTests {
    private static let epoch = UUIDv7(high: 1, low: 1)

    private func landmark(_ number: UInt64, rev: UInt64, name: String? = nil, note: String = "") -> WireLandmark {
        .with {
            $0.id = UUIDv7(high: 7, low: number).wire
            $0.name = name ?? "Landmark \(number)"
            $0.lat = Double(number % 80)
            $0.lng = Double(number % 170)
            $0.kind = ["view", "pool", ""][Int(number % 3)]
            $0.rev = rev
            if !note.isEmpty { $0.notes = [.with { $0.text = note }] }
        }
    }

    private func empty() throws -> Replica {
        Replica(ReplicaSnapshot(at: Position(epoch: Self.epoch, rev: 0)))
    }

    private func change(_ rev: UInt64, _ landmark: WireLandmark, _ operation: WireChange.Operation = .added)
        throws -> EncodedChange
    {
        try EncodedChange(
            .with {
                $0.rev = rev
                $0.operation = operation
                $0.landmark = landmark
            })
    }

    @Test("answers contain the landmarks of the snapshot's pages, byte for byte")
    func snapshot() throws {
        var snapshot = ReplicaSnapshot(at: Position(epoch: Self.epoch, rev: 500))
        let all = (1...500).map { landmark(UInt64($0), rev: UInt64($0)) }
        for page in 0..<5 {
            let reply = WireReply.with {
                $0.snapshot.landmarks = Array(all[page * 100..<page * 100 + 100])
                $0.snapshot.next = page < 4 ? Data([UInt8(page)]) : Data()
                $0.snapshot.total = 500
            }
            let bytes: [UInt8] = try reply.serializedBytes()
            try snapshot.append(page: bytes)
            #expect(SnapshotPage.cursor(of: bytes) == (page < 4 ? [UInt8(page)] : []))
        }
        let replica = Replica(snapshot)
        #expect(replica.count == 500)
        for wire in all {
            let record = try #require(replica[try UUIDv7(wire: wire.id, "id")])
            #expect(try [UInt8](record.bytes) == wire.serializedBytes())
        }
        let near = try WireReply(
            serializedBytes: try replica.near(
                WireNear.with {
                    $0.lat = 10
                    $0.lng = 20
                    $0.limit = 7
                }
            ).whole().encoded)
        #expect(near.hits.hits.count == 7 && !near.hits.cursor.isEmpty)
        for hit in near.hits.hits {
            #expect(hit.landmark == all[Int((UUIDv7(bytes: hit.landmark.id)?.low ?? 0)) - 1])
            let (distance, bearing) = Geodesic.inverse(
                from: try Coordinate(latitude: 10, longitude: 20),
                to: try Coordinate(latitude: hit.landmark.lat, longitude: hit.landmark.lng))
            #expect(abs(hit.distanceM - distance) <= 1e-6 && abs(hit.bearingDeg - bearing) <= 1e-6)
        }
    }

    @Test(
        "bytes that are no snapshot page are refused", arguments: [[], [0xff], [0x0a, 0x00], [0xba, 0x01, 0x05]])
    func noPage(bytes: [UInt8]) {
        var snapshot = ReplicaSnapshot(at: Position(epoch: Self.epoch, rev: 1))
        #expect(throws: ServiceError.unexpectedAnswer) { try snapshot.append(page: bytes) }
        #expect(SnapshotPage.cursor(of: bytes) == nil)
    }

    @Test("a landmark that comes twice in a snapshot is refused, and one that cannot be read")
    func wrongLandmarks() throws {
        func page(_ landmarks: [WireLandmark]) throws -> [UInt8] {
            try WireReply.with { $0.snapshot.landmarks = landmarks }.serializedBytes()
        }
        var snapshot = ReplicaSnapshot(at: Position(epoch: Self.epoch, rev: 1))
        try snapshot.append(page: page((1...200).map { landmark($0, rev: $0) }))
        #expect(throws: ServiceError.unexpectedAnswer) { try snapshot.append(page: page([landmark(7, rev: 201)])) }
        var odd = landmark(201, rev: 201)
        odd.lat = 91
        #expect(throws: ServiceError.unreadableLandmarks) { try snapshot.append(page: page([odd])) }
    }

    @Test("a landmark larger than a block is refused, and its neighbours are kept")
    func tooLarge() throws {
        let replica = try empty()
        try replica.apply(change(1, landmark(1, rev: 1)))
        let huge = landmark(2, rev: 2, note: String(repeating: "x", count: 3_000_000))
        #expect(throws: InvalidInput.self) { try replica.apply(change(2, huge)) }
        #expect(throws: InvalidInput.self) { try replica.apply(change(3, huge)) }
        // It must not claim revisions whose changes it lacks.
        #expect(replica.count == 1 && replica.position.rev == 1)
    }

    @Test("a landmark that changes many times takes no more memory than its last state")
    func tidying() throws {
        let replica = try empty()
        var random = SplitMix64(seed: 3)
        var latest: [UInt64: WireLandmark] = [:]
        var rev: UInt64 = 0
        let note = String(repeating: "n", count: 3_000)
        for _ in 0..<30_000 {
            rev += 1
            let number = random.next() % 400
            if random.next() % 8 == 0 {
                try replica.apply(change(rev, landmark(number, rev: rev), .removed))
                latest[number] = nil
            } else {
                let wire = landmark(number, rev: rev, name: "L\(rev)", note: note)
                try replica.apply(change(rev, wire))
                latest[number] = wire
            }
        }
        #expect(replica.count == latest.count)
        for (number, wire) in latest {
            let record = try #require(replica[UUIDv7(high: 7, low: number)])
            #expect(try [UInt8](record.bytes) == wire.serializedBytes())
            #expect(record.foldedName == wire.name.lowercased())
        }
        // 90 MB were written; 1.2 MB of them are live, in blocks of 2 MiB.
        #expect(replica.store.byteCount <= 4 * 2 * 1024 * 1024)
    }

    @Test(
        "a landmark takes 48 bytes as a record, and 8 more than its own in the store; with other letters, a folded name",
        arguments: [("Lookout 7", "lookout 7", 0), ("", "", 0), ("Äther", "ather", 4 + 5)])
    func memory(name: String, folded: String, more: Int) throws {
        #expect(MemoryLayout<ReplicaRecord?>.stride == 48)
        let store = LandmarkStore(reserving: 0)
        let encoded: [UInt8] = try landmark(1, rev: 1, name: name).serializedBytes()
        let stored = try [0, 1].map { (slot: UInt32) in
            try encoded.withUnsafeBytes { bytes in
                try LandmarkFields(bytes).withFoldedName { store.append(slot: slot, bytes, foldedName: $0) }
            }
        }
        let room = encoded.count + 8 + more
        #expect(stored[1].start - stored[0].start == room && stored[0].byteCount == room)
        for (slot, landmark) in stored.enumerated() {
            #expect(landmark.slot == UInt32(slot) && landmark.id == UUIDv7(high: 7, low: 1))
            #expect([UInt8](landmark.landmark) == encoded)
            #expect(landmark.withFoldedName { String(decoding: $0, as: UTF8.self) } == folded)
        }
    }

    @Test("a landmark is refused if its id is not its first field, or its name not the second")
    func order() throws {
        let whole: [UInt8] = try landmark(1, rev: 1, name: "A").serializedBytes()
        let (id, name, rest) = (whole[..<18], whole[18..<21], whole[21...])
        func isRead(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { (try? LandmarkFields($0)) != nil } }
        #expect(isRead(whole) && isRead(Array(id + rest)))
        for odd in [name + id + rest, id + rest + name, id + name + rest + name, rest + id + name, id + whole] {
            #expect(!isRead(Array(odd)))
        }
    }

    @Test("the list of records grows over its blocks without moving a record")
    func records() throws {
        var records = ReplicaRecords(count: 3)
        defer { records.free() }
        let replica = try empty()
        try replica.apply(change(1, landmark(1, rev: 1)))
        let record = try #require(replica.record(at: 0))
        for _ in 3..<100_000 { records.append() }
        for slot in [0, 2, 43_689, 43_690, 43_691, 99_999] as [UInt32] {
            #expect(records[slot]?.rev == nil)
            records[slot] = record
            #expect(records[slot]?.rev == 1)
        }
        records[43_690] = nil
        let kept = [0, 1, 43_690, 43_691].map { records[$0]?.rev }
        #expect(records.count == 100_000 && kept == [1, nil, nil, 1])
    }

    @Test("by name: by the bytes of the folded name, then by id, page by page")
    func byName() throws {
        let replica = try empty()
        let names = ["Äther", "alpha", "Alpha", "beta", "zebra", "Zoo", "éclair", "", "beta"]
        for (index, name) in names.enumerated() {
            let rev = UInt64(index + 1)
            try replica.apply(change(rev, landmark(rev, rev: rev, name: name)))
        }
        var listed: [String] = []
        var after = Data()
        repeat {
            let page = try WireReply(
                serializedBytes: try replica.list(
                    WireList.with {
                        $0.order = .byName
                        $0.limit = 2
                        $0.after = after
                    }
                ).whole().encoded)
            listed += page.hits.hits.map(\.landmark.name)
            after = page.hits.cursor
        } while !after.isEmpty
        #expect(listed == ["", "alpha", "Alpha", "Äther", "beta", "beta", "éclair", "zebra", "Zoo"])
    }
}
