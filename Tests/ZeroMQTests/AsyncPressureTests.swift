// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestTurns
import Testing

@testable import ZeroMQ

@Suite("What waits when the other side is slow", .inShortTurn)
struct AsyncPressureTests {
    @Test("A sender waits at the high-water mark, and everything arrives in order")
    func backpressure() async throws {
        let context = try Context()
        let sent = Counted()
        try await withLoop { loop in
            var options = SocketOptions()
            options.receiveHighWaterMark = 10
            options.sendHighWaterMark = 10
            let slow = try await AsyncSocket(.pull, context: context, on: loop, options: options)
            let endpoint = try await slow.bind(Transport.inproc.endpoint())
            let quick = try await AsyncSocket(.push, context: context, on: loop, options: options)
            try await quick.connect(endpoint)
            let sending = Task {
                for index in 0..<200 {
                    try await quick.send("\(index)")
                    sent.count.add(1, ordering: .relaxed)
                }
            }
            try await quick.waits(for: .sending)
            // Over `inproc` both queues are one.
            #expect(sent.count.load(ordering: .relaxed) == 20)
            for index in 0..<200 {
                #expect(try await slow.receive()[0].text == "\(index)")
                #expect(sent.count.load(ordering: .relaxed) <= index + 1 + 20)
            }
            try await sending.value
        }
    }

    @Test("While nobody receives, the loop does not look for input")
    func quiet() async throws {
        let context = try Context()
        try await withLoop { loop in
            let service = try await AsyncSocket(.pull, context: context, on: loop)
            let endpoint = try await service.bind(Transport.inproc.endpoint())
            let client = try await AsyncSocket(.push, context: context, on: loop)
            try await client.connect(endpoint)
            // It waits, so that the loop looks.
            let first = Task { try await service.receive() }
            try await service.waits(for: .receiving)
            try await client.send("1")
            #expect(try await first.value[0].text == "1")
            for text in ["2", "3"] { try await client.send(text) }
            while await service.isReading { await Task.yield() }
            for text in ["2", "3"] { #expect(try await service.receive()[0].text == text) }
        }
    }

    @Test("A router does not wait for one slow peer, and says which peer is gone")
    func router() async throws {
        let context = try Context()
        try await withLoop { loop in
            var options = SocketOptions.service
            options.sendHighWaterMark = 5
            let router = try await AsyncSocket(.router, context: context, on: loop, options: options)
            let endpoint = try await router.bind(Transport.inproc.endpoint())
            options = SocketOptions()
            options.receiveHighWaterMark = 5
            var ids: [[UInt8]] = []
            var peers: [AsyncSocket] = []
            for _ in 0..<2 {
                let peer = try await AsyncSocket(.dealer, context: context, on: loop, options: options)
                try await peer.connect(endpoint)
                try await peer.send("hello")
                ids.append(try await router.receive()[0].bytes)
                peers.append(peer)
            }
            for _ in 0..<10 { try await router.send([ids[0], [1]]) }
            await expect(code: .peerIsSlow) { try await router.send([ids[0], [1]]) }
            try await router.send([ids[1], [2]])
            #expect(try await peers[1].receive().map(\.bytes) == [[2]])
            await expect(code: .unroutable) { try await router.send([[9, 9], [1]]) }
        }
    }
}

private final class Counted: Sendable {
    let count = Atomic<Int>(0)
}
