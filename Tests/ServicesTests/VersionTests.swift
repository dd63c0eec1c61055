// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import Logging
import QueryService
import ServiceHost
import StorageService
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

@Suite("Different releases together", .inTurn)
struct VersionTests {
    struct Meeting: Sendable, CustomTestStringConvertible {
        var storage: ClosedRange<UInt8>
        var query: ClosedRange<UInt8>
        var client: ClosedRange<UInt8>
        /// The protocol version that the service tells the client to use.
        var spoken: UInt32

        var testDescription: String { "storage \(storage), query \(query), client \(client): \(spoken)" }
    }

    static let meetings = [
        Meeting(storage: 1...1, query: 1...1, client: 1...1, spoken: 1),
        Meeting(storage: 1...2, query: 1...1, client: 1...1, spoken: 1),
        Meeting(storage: 1...1, query: 1...2, client: 1...1, spoken: 1),
        Meeting(storage: 1...1, query: 1...2, client: 1...2, spoken: 1),
        Meeting(storage: 1...2, query: 1...2, client: 1...1, spoken: 1),
        Meeting(storage: 1...2, query: 1...1, client: 1...2, spoken: 1),
        Meeting(storage: 1...2, query: 1...2, client: 1...2, spoken: 2),
        // A storage that no longer supports version 1 still answers a greeting in version 1.
        Meeting(storage: 2...3, query: 1...2, client: 1...2, spoken: 2),
    ]

    private static func hello(_ range: ClosedRange<UInt8>) -> WireRequest {
        .with {
            $0.hello = .with {
                $0.minProtocol = UInt32(range.lowerBound)
                $0.maxProtocol = UInt32(range.upperBound)
            }
        }
    }

    private static func frames(
        _ request: WireRequest, _ sequence: UInt64, version: UInt8 = 1
    ) throws -> [[UInt8]] {
        [
            Signature(.request, version: version).bytes, try RawPeer.header(sequence).serializedBytes(),
            try request.serializedBytes(),
        ]
    }

    @Test("write, read and follow in the highest common version", arguments: meetings)
    func highestInCommon(meeting: Meeting) async throws {
        let pair = try await Pair(.ipc, storageVersions: meeting.storage, queryVersions: meeting.query)
        let client = try await pair.client(versions: meeting.client)
        var feed = client.feed().makeAsyncIterator()
        _ = try await feed.next()
        let added = try await client.add(WriteTests.draft())
        #expect(try await client.show(added.id).landmark.name == "Bondi Beach")
        #expect(try await client.near(Coordinate(latitude: -33, longitude: 151), limit: 1).hits.count == 1)
        while let item = try await feed.next() {
            if case .change = item { break }
        }
        let peer = RawPeer()
        try await peer.open(pair.endpoint, context: pair.context)
        let (header, reply) = try await peer.ask(Self.hello(meeting.client), RawPeer.header(1))
        #expect(header.sequence == 1 && reply.welcome.protocol == meeting.spoken)
        await peer.close()
        await client.close()
        await pair.stop()
    }

    @Test("the version is the highest common one; a peer that names none speaks that of its message")
    func agreed() throws {
        func chosen(_ lowest: UInt32, _ highest: UInt32, _ spoken: UInt8, _ ours: ClosedRange<UInt8>) throws -> UInt8 {
            try WireHello.with {
                $0.minProtocol = lowest
                $0.maxProtocol = highest
            }.agreed(spoken: spoken, ours: ours)
        }
        #expect(try chosen(1, 1, 1, 1...1) == 1)
        #expect(try chosen(1, 7, 1, 1...2) == 2)
        #expect(try chosen(2, 7, 2, 1...2) == 2)
        #expect(try chosen(0, 1, 1, 1...2) == 1)
        #expect(try chosen(0, 0, 1, 1...2) == 1)
        #expect(try chosen(0, 0, 2, 1...2) == 2)
        #expect(try chosen(1, .max, 1, 1...255) == 255)
        for (lowest, highest, ours) in [(2, 3, 1...1), (1, 1, 2...3), (3, 2, 1...2)]
            as [(UInt32, UInt32, ClosedRange<UInt8>)]
        {
            let refusal = #expect(throws: ServiceError.self) { try chosen(lowest, highest, 1, ours) }
            #expect(refusal?.code == .protocolVersion)
        }
    }

    @Test("no common version: refused with both ranges, under the request's number, in the request's version")
    func noneInCommon() async throws {
        try await withPair(.ipc) { pair, client in
            for endpoint in [pair.endpoint, pair.storageEndpoint] {
                let peer = RawPeer()
                try await peer.open(endpoint, context: pair.context)
                try await peer.send(try Self.frames(Self.hello(2...3), 5, version: 2))
                let frames = try await peer.receive()
                // The refusal has the version of the request, so that the client can read it.
                #expect(frames.first == Signature(.answer, version: 2).bytes)
                let header = try WireReplyHeader(serializedBytes: frames[1])
                let failure = try WireReply(serializedBytes: frames[2]).failure
                #expect(header.sequence == 5 && failure.code == ErrorCode.protocolVersion.rawValue)
                #expect(failure.message.contains("2 to 3") && failure.message.contains("speaks 1:"))
                // Any other request of that version is refused in the same way.
                try await peer.send(try Self.frames(.with { $0.status = WireStatus() }, 6, version: 2))
                let (second, reply) = try RawPeer.read(try await peer.receive())
                #expect(second.sequence == 6 && reply.failure.code == ErrorCode.protocolVersion.rawValue)
                await peer.close()
            }
            let later = try await pair.client(versions: 2...3)
            let error = await #expect(throws: ClientError.self) { try await later.hello() }
            guard case .refused(let refusal) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(refusal.code == .protocolVersion)
            await later.close()
            _ = try await client.add(WriteTests.draft())
        }
    }

    @Test("a request to be forwarded in a version that storage does not speak is refused")
    func passedOn() async throws {
        let pair = try await Pair(.ipc, storageVersions: 1...1, queryVersions: 1...2)
        let peer = RawPeer()
        try await peer.open(pair.endpoint, context: pair.context)
        let near = WireRequest.with { $0.near = .with { $0.limit = 1 } }
        try await peer.send(try Self.frames(near, 1, version: 2))
        let frames = try await peer.receive()
        #expect(frames[0] == Signature(.answer, version: 2).bytes)
        guard case .hits? = try WireReply(serializedBytes: frames[2]).result else {
            Issue.record("no hits")
            return
        }
        try await peer.send(try Self.frames(.with { $0.sources = WireSources() }, 2, version: 2))
        let failure = try WireReply(serializedBytes: try await peer.receive()[2]).failure
        #expect(failure.code == ErrorCode.protocolVersion.rawValue)
        #expect(failure.message.contains("version 2") && failure.message.contains("speaks 1:"))
        await peer.close()
        await pair.stop()
    }

    @Test("a service is replaced by an older release: its client then speaks the older version")
    func downgrade() async throws {
        let pair = try await Pair(.ipc, storageVersions: 1...2, queryVersions: 1...2)
        let client = try await pair.client(versions: 1...2)
        _ = try await client.hello()
        _ = try await client.add(WriteTests.draft())
        await pair.query.stop()
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var options = QueryOptions(listen: pair.endpoint, storage: pair.storageEndpoint)
        options.protocolVersions = 1...1
        let older = try QueryServer(options, context: pair.context, logger: logger)
        _ = try await older.start()
        #expect(await older.waitUntilReady(timeout: .seconds(60)))
        // The client needs no other hello from the program.
        #expect(try await client.near(Coordinate(latitude: -33, longitude: 151), limit: 1).hits.count == 1)
        _ = try await client.add(WriteTests.draft("another"))
        await client.close()
        await older.stop()
        await pair.stop()
    }

    @Test("storage is replaced by an older release: query then speaks the older version, and continues")
    func olderStorage() async throws {
        let pair = try await Pair(.ipc, onDisk: true, storageVersions: 1...2, queryVersions: 1...2)
        let client = try await pair.client(versions: 1...2)
        _ = try await client.add(WriteTests.draft())
        await pair.storage.stop()
        // The log is requested continuously in version 2. The first such request to the older release triggers a new
        // greeting.
        try await Task.sleep(for: .seconds(1))
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var options = StorageOptions(
            directory: pair.directory.path + "/data", listen: pair.storageEndpoint, changes: pair.changesEndpoint,
            beacon: .milliseconds(200))
        try options.useTestedEngine(pair.directory.path)
        options.protocolVersions = 1...1
        let older = try StorageServer(options, context: pair.context, logger: logger)
        _ = try await older.start()
        var added: Written?
        try await until("another is added") {
            added = try? await client.add(WriteTests.draft("another"))
            return added != nil
        }
        #expect(added?.rev == 2)
        // A query service that received an unknown change would refuse this.
        #expect(try await client.near(Coordinate(latitude: -33, longitude: 151), limit: 5).hits.count == 2)
        await client.close()
        await pair.query.stop()
        await older.stop()
        pair.context.terminate()
    }

}
