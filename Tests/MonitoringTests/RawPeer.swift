// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import TestSupport
import WaymarkProtocol
import ZeroMQ

/// A peer that sends any frames and reads no answers.
actor RawPeer {
    private let loop = EventLoop.forTest("raw-peer")
    private var socket: Socket?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter queue: the high-water mark of this end.
    func open(_ kind: Socket.Kind, _ endpoint: String, context: Context, queue: Int = 1_000) throws {
        var options = SocketOptions()
        options.receiveHighWaterMark = queue
        // This end drops no message, not even subscriptions.
        options.sendHighWaterMark = 0
        let socket = try Socket(kind, context: context, options: options)
        try socket.connect(endpoint)
        self.socket = consume socket
    }

    func subscribe(_ topics: [[UInt8]]) throws {
        for topic in topics { try socket?.subscribe(topic) }
    }

    func send(_ frames: [[UInt8]]) async throws {
        for _ in 0..<12_000 {
            var message = Message()
            for frame in frames { message.append(frame) }
            if try socket?.send(&message) == .sent { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw Silence()
    }

    struct Silence: Error {}

    /// A test that throws may leave it open. Its sockets then close here, on its loop.
    isolated deinit {}

    func close() async {
        socket = nil
        await loop.stop()
    }
}

extension RawPeer {
    static func frames(_ request: WireRequest, _ header: WireRequestHeader) throws -> [[UInt8]] {
        [Signature(.request).bytes, try header.serializedBytes(), try request.serializedBytes()]
    }

    static func header(_ sequence: UInt64, timeout: UInt32 = 2_000, sent: UInt64 = 0) -> WireRequestHeader {
        .with {
            $0.client = UUIDv7(high: 1, low: 2).wire
            $0.sequence = sequence
            $0.user = "raw"
            $0.timeoutMs = timeout
            $0.sentMs = sent
        }
    }
}
