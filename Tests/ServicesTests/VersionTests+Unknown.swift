// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import Logging
import QueryService
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

// Fields, commands, results and changes that only a later release knows.
extension VersionTests {
    @Test("unknown fields are forwarded unchanged, and unknown commands are refused")
    func unknownFieldsAndCommands() async throws {
        try await withPair(.ipc) { pair, client in
            // Field 900 of Request beside the command, of add, and of its draft.
            let unknown: [UInt8] = [0xa2, 0x38, 0x02, 0x68, 0x69]
            var draft = WireLandmarkDraft(try WriteTests.draft())
            try draft.merge(serializedBytes: unknown)
            var add = WireAdd.with { $0.draft = draft }
            try add.merge(serializedBytes: unknown)
            var request = WireRequest.with { $0.add = add }
            try request.merge(serializedBytes: unknown)
            let peer = RawPeer()
            try await peer.open(pair.endpoint, context: pair.context)
            let (_, reply) = try await peer.ask(request, RawPeer.header(1))
            #expect(reply.written.rev == 1)
            await peer.close()
            // For storage, the same bytes are the same request, and other bytes under its number are a conflict.
            let direct = RawPeer()
            try await direct.open(pair.storageEndpoint, context: pair.context)
            #expect(try await direct.ask(request, RawPeer.header(1)).1 == reply)
            let plain = WireLandmarkDraft(try WriteTests.draft())
            let known = WireRequest.with { $0.add = .with { $0.draft = plain } }
            let conflict = try await direct.ask(known, RawPeer.header(1)).1
            #expect(conflict.failure.code == ErrorCode.requestConflict.rawValue)
            await direct.close()
            // Field 900 as a group, which proto3 does not have.
            var grouped = known
            try grouped.merge(serializedBytes: [0xa3, 0x38, 0xa4, 0x38] as [UInt8])
            for endpoint in [pair.endpoint, pair.storageEndpoint] {
                let other = RawPeer()
                try await other.open(endpoint, context: pair.context)
                for (sequence, body) in zip(UInt64(9)..., [try WireRequest(serializedBytes: unknown), grouped]) {
                    let (_, refused) = try await other.ask(body, RawPeer.header(sequence))
                    #expect(refused.failure.code == ErrorCode.unknownCommand.rawValue)
                }
                await other.close()
            }
            #expect(try await storageStatus(client).head == 1)
        }
    }

    @Test("an unknown change or result from a later storage stops queries with a sentence, until it is gone")
    func unknownResults() async throws {
        let (context, directory) = (try Context(), try TemporaryDirectory())
        let storage = LaterStorage(in: directory)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let query = try QueryServer(
            QueryOptions(
                listen: "ipc://\(directory.path)/q", storage: try await storage.start(context)),
            context: context, logger: logger)
        let endpoint = try await query.start()
        #expect(await query.waitUntilReady(timeout: .seconds(60)))
        let client = try await WaymarkClient(
            .init(endpoint: endpoint, user: "ada", timeout: .seconds(30)), context: context)
        let place = try Coordinate(latitude: 0, longitude: 0)
        #expect(try await client.near(place, limit: 1).hits.isEmpty)
        // An unknown result.
        await #expect { _ = try await client.sources() } throws: {
            if case .unreadableAnswer? = $0 as? ClientError { true } else { false }
        }
        #expect(try await WriteTests.refusal { _ = try await client.search("later") } == .internal)
        #expect(await query.health().isReady)
        // An unknown kind of change.
        try await storage.change(LaterStorage.unknownKind)
        try await until {
            await query.health().problems.contains { $0.contains("Revision 1 cannot be understood") }
        }
        let refusal = try await WriteTests.refusal { _ = try await client.near(place, limit: 1) }
        #expect(refusal == .protocolVersion)
        await client.close()
        await query.stop()
        await storage.stop()
        context.terminate()
    }
}
