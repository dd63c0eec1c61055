// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Landmarks
import TestSupport
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

@Suite("Requests for changes that wait", .inTurn)
struct WaitingReadTests {
    enum Service: String, CaseIterable { case query, storage }

    @Test("the wait ends with the next change, within a tenth of a second", arguments: Service.allCases)
    func endsAtChange(_ service: Service) async throws {
        try await Self.withPeer(of: service) { _, client, peer in
            var times: [Duration] = []
            for sequence in 1...20 as ClosedRange<UInt64> {
                let before = try await Self.position(client)
                var header = RawPeer.header(2 * sequence)
                header.timeoutMs = 120_000
                try await peer.send(try Self.frames(Self.changes(after: before, wait: .max), header))
                // A service takes the requests of a connection in turn: the request waits when the next one is answered.
                _ = try await peer.ask(.with { $0.hello = WireHello() }, RawPeer.header(2 * sequence + 1))
                #expect(await peer.waiting == 0)
                _ = try await client.add(WriteTests.draft("\(sequence)"))
                let added = ContinuousClock.now
                let page = try Self.page(try await peer.receive())
                times.append(ContinuousClock.now - added)
                #expect(page.changes.map(\.rev) == [before.rev + 1] && page.through == before.rev + 1)
            }
            // One of the fastest: a busy machine may keep most of them waiting.
            #expect(times.sorted()[2] < .milliseconds(100), "\(times)")
        }
    }

    @Test("without a change the answer is an ordinary page when the time is over", arguments: Service.allCases)
    func endsWithTime(_ service: Service) async throws {
        try await Self.withPeer(of: service) { _, client, peer in
            let before = try await Self.position(client)
            for (sequence, wait, timeout, least) in [
                (1, 300, 5_000, 300), (2, 10_000, 700, 600), (3, UInt32.max, 500, 400), (4, 10, 1, 0),
            ] as [(UInt64, UInt32, UInt32, Int)] {
                var header = RawPeer.header(sequence)
                header.timeoutMs = timeout
                let begun = ContinuousClock.now
                try await peer.send(try Self.frames(Self.changes(after: before, wait: wait), header))
                // A request that has a millisecond may be over before it is read.
                guard timeout > 1 else { continue }
                let page = try Self.page(try await peer.receive())
                // A service counts whole milliseconds, and may end the wait within the last one.
                #expect(ContinuousClock.now - begun > .milliseconds(least - 1))
                #expect(page.changes.isEmpty && page.through == before.rev && page.head == before.rev)
                #expect(page.run == before.run?.wire && page.floor == 1)
            }
        }
    }

    @Test("a request waits no longer than the service allows", arguments: Service.allCases)
    func longest(_ service: Service) async throws {
        let pair = try await Pair(.ipc, longestWait: 300)
        let client = try await pair.client()
        let peer = RawPeer()
        try await peer.open(service == .query ? pair.endpoint : pair.storageEndpoint, context: pair.context)
        var header = RawPeer.header(1)
        header.timeoutMs = 120_000
        let here = try await Self.position(client)
        try await peer.send(try Self.frames(Self.changes(after: here, wait: .max), header))
        // Gives up after a minute, long before the request's own time is over.
        let frames = try? await peer.receive()
        #expect(try frames.map(Self.page)?.changes.isEmpty == true)
        await peer.close()
        await client.close()
        await pair.stop()
    }

    @Test("what has an answer does not wait: older and later positions, other epochs and runs, what is not valid")
    func atOnce() async throws {
        for service in Service.allCases {
            try await Self.withPeer(of: service) { _, client, peer in
                let here = try await Self.position(client)
                var (older, later, other, otherRun) = (here, here, here, here)
                older.rev -= 1
                later.rev += 1
                other = Position(epoch: UUIDv7(high: 9, low: 9), rev: here.rev, run: nil)
                otherRun.run = UUIDv7(high: 9, low: 9)
                var sequence: UInt64 = 0
                func ask(_ request: WireRequest) async throws -> ErrorCode? {
                    var reply = WireReply()
                    // A busy machine may take as long as a wait, but hardly three times.
                    #expect(
                        try await Self.isQuick {
                            sequence += 1
                            var header = RawPeer.header(sequence)
                            header.timeoutMs = 120_000
                            reply = try await peer.ask(request, header).1
                        })
                    guard case .failure(let failure)? = reply.result else { return nil }
                    return ErrorCode(rawValue: failure.code)
                }
                #expect(try await ask(Self.changes(after: older, wait: .max)) == nil)
                #expect(try await ask(Self.changes(after: later, wait: .max)) == .futureRevision)
                #expect(try await ask(Self.changes(after: other, wait: .max)) == .epochChanged)
                #expect(try await ask(Self.changes(after: otherRun, wait: .max)) == .epochChanged)
                let wrong = Self.changes(after: here, wait: .max) { $0.filter.ids = [Data([1])] }
                #expect(try await ask(wrong) == .invalid)
                #expect(try await ask(Self.changes(after: here, wait: 0)) == nil)
            }
        }
    }

    @Test("a request that is sent again waits once, and is answered once", arguments: Service.allCases)
    func copies(_ service: Service) async throws {
        try await Self.withPeer(of: service) { pair, client, peer in
            let before = try await Self.position(client)
            var header = RawPeer.header(1)
            header.timeoutMs = 120_000
            let frames = try Self.frames(Self.changes(after: before, wait: .max), header)
            for _ in 0..<50 { try await peer.send(frames) }
            _ = try await peer.ask(.with { $0.hello = WireHello() }, RawPeer.header(2))
            _ = try await client.add(WriteTests.draft())
            _ = try await peer.receive()
            // Were there others, they would have been answered before this one.
            _ = try await peer.ask(.with { $0.hello = WireHello() }, RawPeer.header(3))
            #expect(await peer.waiting == 0)
        }
    }

    @Test("beyond the share of a connection, and the most of all, the answer comes at once")
    func bounds() async throws {
        // Storage lets half as many wait as may be read, and half of that for one connection.
        try await Self.withPeer(of: .storage, reads: 16) { pair, client, peer in
            let before = try await Self.position(client)
            let request = Self.changes(after: before, wait: .max)
            var peers = [peer]
            for _ in 0..<2 {
                let other = RawPeer()
                try await other.open(pair.storageEndpoint, context: pair.context)
                peers.append(other)
            }
            var header = RawPeer.header(1)
            header.timeoutMs = 120_000
            for (place, peer) in peers.enumerated() {
                for sequence in 1...6 as ClosedRange<UInt64> {
                    (header.client, header.sequence) = (UUIDv7(high: 7, low: UInt64(place)).wire, sequence)
                    // An account that is claimed has no share of its own.
                    header.account = sequence
                    try await peer.send(try Self.frames(request, header))
                }
                // Four of the first one's wait, four of the second one's, and none of the third one's.
                for _ in 0..<(place == 2 ? 6 : 2) { #expect(try Self.page(try await peer.receive()).changes.isEmpty) }
                #expect(await peer.waiting == 0)
            }
            _ = try await client.add(WriteTests.draft())
            for peer in peers.dropLast() {
                for _ in 0..<4 { #expect(try Self.page(try await peer.receive()).changes.count == 1) }
            }
            for peer in peers.dropFirst() { await peer.close() }
        }
    }

    @Test("a hundred that wait in a query service cost storage nothing")
    func storageIsAsked() async throws {
        try await withPair(.ipc) { pair, client in
            _ = try await client.add(WriteTests.draft("before"))
            let before = try await Self.position(client)
            func received() async throws -> UInt64 {
                HostileTests.counter("requests_received", try await storageStatus(client).counters)
            }
            func waited() async throws -> UInt64 {
                let counters = try await client.status().query?.counters
                return counters?.first { $0.name == "changes_waited" }?.value ?? 0
            }
            let base = try await received()
            let peers = (0..<4).map { _ in RawPeer() }
            for (place, peer) in peers.enumerated() {
                try await peer.open(pair.endpoint, context: pair.context)
                for sequence in 1...25 as ClosedRange<UInt64> {
                    var header = RawPeer.header(sequence, client: UUIDv7(high: 8, low: UInt64(place)))
                    header.timeoutMs = 120_000
                    try await peer.send(try Self.frames(Self.changes(after: before, wait: 500), header))
                }
            }
            for peer in peers { for _ in 0..<25 { #expect(try Self.page(try await peer.receive()).changes.isEmpty) } }
            let waited = try await waited()
            #expect(waited == 100)
            // Only the questions for the status have reached it, and on a busy machine their copies.
            #expect(try await received() < base + 50)
            for peer in peers { await peer.close() }
        }
    }

    @Test("a service that stops lets nobody wait", arguments: Service.allCases)
    func stops(_ service: Service) async throws {
        #expect(
            try await Self.isQuick {
                let pair = try await Pair(.ipc)
                let client = try await pair.client()
                let peer = RawPeer()
                try await peer.open(
                    service == .query ? pair.endpoint : pair.storageEndpoint, context: pair.context)
                let before = try await Self.position(client)
                var header = RawPeer.header(1)
                header.timeoutMs = 120_000
                try await peer.send(try Self.frames(Self.changes(after: before, wait: .max), header))
                _ = try await peer.ask(.with { $0.hello = WireHello() }, RawPeer.header(2))
                await client.close()
                await pair.query.stop()
                if service == .query { _ = try await peer.receive() }
                await pair.storage.stop()
                if service == .storage { _ = try await peer.receive() }
                await peer.close()
                pair.context.terminate()
            })
    }

    /// Whether one of three runs ends long before a wait would.
    private static func isQuick(_ body: () async throws -> Void) async throws -> Bool {
        for _ in 0..<3 {
            let begun = ContinuousClock.now
            try await body()
            if ContinuousClock.now - begun < .seconds(60) { return true }
        }
        return false
    }
}
