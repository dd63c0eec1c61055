// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

@Suite("Requests of a client that has gone", .inShortTurn)
struct GoneTests {
    /// A server that receives when the test says so, and a client that sends and goes, on one loop.
    private actor Ends {
        private let loop = EventLoop.forTest("gone")
        private var server: RequestServer?
        private var taken: [ReplyAddress] = []
        private var socket: Socket?
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        func start(_ context: Context) throws {
            let server = try RequestServer(loop: loop, context: context, endpoint: "tcp://127.0.0.1:*")
            self.server = server
            var options = SocketOptions()
            // Sent requests arrive even if the client goes at once.
            options.linger = .seconds(60)
            let socket = try Socket(.dealer, context: context, options: options)
            try socket.connect(server.endpoint)
            self.socket = consume socket
        }

        func send(_ requests: [WireRequest]) throws {
            for (index, request) in requests.enumerated() {
                let header = WireRequestHeader.with {
                    $0.client = UUIDv7(high: 1, low: 2).wire
                    $0.sequence = UInt64(index + 1)
                    $0.timeoutMs = 60_000
                }
                var message = Message()
                message.append(Signature(.request).bytes)
                message.append(try header.serializedBytes() as [UInt8])
                message.append(try request.serializedBytes() as [UInt8])
                #expect(try socket?.send(&message) == .sent)
            }
        }

        func receive(_ count: Int) throws -> [RequestKind] {
            var kinds: [RequestKind] = []
            try server?.receive(count: count, bytes: 1 << 20) {
                kinds.append($0.address.kind)
                taken.append($0.address)
            }
            return kinds
        }

        /// Answers all that was taken, also again.
        ///
        /// - Returns: whether an answer could not be delivered.
        func answer() throws -> Bool {
            for address in taken { try server?.answer(address, ReplyHeader(), WireReply().encoded) }
            return taken.first.map { server?.isGone($0) ?? false } ?? false
        }

        var connections: UInt64 { server?.counters.connections ?? 0 }
        var expired: UInt64 { server?.counters.expired ?? 0 }
        func leave() { socket = nil }

        func close() async {
            socket = nil
            server?.close()
            server = nil
            await loop.stop()
        }
    }

    @Test("are dropped once an answer could not be delivered; a write is still done")
    func gone() async throws {
        let context = try Context()
        let ends = Ends()
        do {
            try await ends.start(context)
            let (read, write) = (
                WireRequest.with { $0.status = WireStatus() }, WireRequest.with { $0.remove = WireRemove() }
            )
            try await ends.send([read, read, read, write, read])
            try await until { try await ends.receive(1) == [.status] }
            #expect(try await !ends.answer())
            try await until { try await ends.receive(1) == [.status] }
            await ends.leave()
            try await until { await ends.connections == 0 }
            // libzmq reports the end of a connection a moment before the socket loses its route.
            try await until { try await ends.answer() }
            // Of the three remaining requests the service gets only the write.
            #expect(try await ends.receive(10) == [.remove])
            #expect(await ends.expired == 2)
        } catch {
            await ends.close()
            throw error
        }
        await ends.close()
        context.terminate()
    }
}
