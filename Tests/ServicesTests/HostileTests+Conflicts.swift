// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import TestSupport
import Testing
import WaymarkClient
import WaymarkProtocol

// Different requests under one number.
extension HostileTests {
    @Test("one request under two users' names at once: one is done, the other gets a conflict")
    func twoUsers() async throws {
        try await withPair(.ipc) { pair, client in
            let peer = RawPeer()
            try await peer.open(pair.endpoint, context: pair.context)
            // All are sent before any is answered, so that the first of two is in flight when the second arrives.
            for sequence in 1...20 as ClosedRange<UInt64> {
                let draft = WireLandmarkDraft(try WriteTests.draft("\(sequence)"))
                let body: [UInt8] = try WireRequest.with { $0.add = .with { $0.draft = draft } }.serializedBytes()
                for name in ["armando", "berta"] {
                    var header = RawPeer.header(sequence)
                    header.user = name
                    try await peer.send([Signature(.request).bytes, header.serializedBytes(), body])
                }
            }
            var (written, conflicts): (Set<UInt64>, Set<UInt64>) = ([], [])
            for _ in 0..<40 {
                let (header, reply) = try RawPeer.read(try await peer.receive())
                if reply.failure.code == ErrorCode.requestConflict.rawValue { conflicts.insert(header.sequence) }
                if case .written? = reply.result { written.insert(header.sequence) }
            }
            #expect(written == Set(1...20) && conflicts == written)
            #expect(try await storageStatus(client).head == 20)
            await peer.close()
        }
    }

    @Test("two requests under one name at once: one is done, the other gets a conflict")
    func oneNameTwice() async throws {
        try await withPair(.ipc) { pair, client in
            let peer = RawPeer()
            try await peer.open(pair.endpoint, context: pair.context)
            for sequence in 1...20 as ClosedRange<UInt64> {
                for name in ["one", "two"] {
                    let draft = WireLandmarkDraft(try WriteTests.draft("\(name) \(sequence)"))
                    let request = WireRequest.with { $0.add = .with { $0.draft = draft } }
                    try await peer.send([
                        Signature(.request).bytes, RawPeer.header(sequence).serializedBytes(),
                        request.serializedBytes(),
                    ])
                }
                let replies = [
                    try RawPeer.read(try await peer.receive()).1, try RawPeer.read(try await peer.receive()).1,
                ]
                #expect(replies.filter { $0.failure.code == ErrorCode.requestConflict.rawValue }.count == 1)
                #expect(replies.filter { $0.written.rev == sequence }.count == 1)
            }
            #expect(try await storageStatus(client).head == 20)
            await peer.close()
        }
    }
}
