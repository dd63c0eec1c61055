// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

@Suite("A server that accepts no new connections", .inShortTurn)
struct StopListeningTests {
    /// A server on its loop that answers requests when the test says so.
    private actor Host {
        private let loop = EventLoop.forTest("stop-listening")
        private var server: RequestServer?
        private var waiting: [ReplyAddress] = []
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        func start(_ context: Context) throws -> String {
            let server = try RequestServer(loop: loop, context: context, endpoint: "tcp://127.0.0.1:*")
            server.start(on: loop) { [weak self] in self?.assumeIsolated { $0.receive() } }
            self.server = server
            return server.endpoint
        }

        private func receive() { try? server?.receive(count: 10, bytes: 10_000) { waiting.append($0.address) } }

        var count: Int { waiting.count }
        var hasTurnedAway: Bool {
            server.map { $0.counters.connectionsTurnedAway > 0 && $0.counters.connections == 1 } ?? false
        }
        func stopListening() { server?.stopListening() }

        func answer() throws {
            for address in waiting {
                try server?.answer(address, ReplyHeader(), WireReply.with { $0.done = WireDone() }.encoded)
            }
            waiting = []
        }

        func close() async {
            server?.close()
            server = nil
            await loop.stop()
        }
    }

    /// A client on a loop of its own, because a test may continue on another thread after each `await`.
    private actor Asker {
        private let loop = EventLoop.forTest("asker")
        private var socket: Socket?
        private var watch: SocketWatch?
        private(set) var answers = 0
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        func connect(_ context: Context, _ endpoint: String) throws {
            let socket = try Socket(.dealer, context: context)
            try socket.connect(endpoint)
            watch = loop.watch(socket, for: self, onReadable: { $0.drain() })
            self.socket = consume socket
        }

        private func drain() {
            var message = Message()
            while (try? socket?.receive(into: &message)) == true { answers += 1 }
        }

        func send(_ sequence: UInt64) throws {
            let header = WireRequestHeader.with {
                $0.client = UUIDv7(high: 1, low: 2).wire
                $0.sequence = sequence
                $0.timeoutMs = 60_000
            }
            var message = Message()
            message.append(Signature(.request).bytes)
            message.append(try header.serializedBytes() as [UInt8])
            message.append(try WireRequest.with { $0.status = WireStatus() }.serializedBytes() as [UInt8])
            #expect(try socket?.send(&message) == .sent)
        }

        func close() async {
            watch?.cancel()
            watch = nil
            socket = nil
            await loop.stop()
        }
    }

    /// A request that is sent while its connection is being closed may still arrive. It is answered like any other.
    @Test("present clients ask and are answered; a new one is turned away")
    func goesOn() async throws {
        let context = try Context()
        let (host, peer, late) = (Host(), Asker(), Asker())
        var failure: (any Error)?
        do {
            try await turnAway(context, host, peer, late)
        } catch { failure = error }
        // They must be closed on their own threads, also after an error.
        await peer.close()
        await late.close()
        await host.close()
        context.terminate()
        if let failure { throw failure }
    }

    private func turnAway(_ context: Context, _ host: Host, _ peer: Asker, _ late: Asker) async throws {
        let endpoint = try await host.start(context)
        try await peer.connect(context, endpoint)
        try await peer.send(1)
        try await until { await host.count == 1 }
        await host.stopListening()
        try await peer.send(2)
        try await until { await host.count == 2 }
        try await late.connect(context, endpoint)
        try await late.send(3)
        try await host.answer()
        try await until { await peer.answers == 2 }
        try await until { await host.hasTurnedAway }
    }
}
