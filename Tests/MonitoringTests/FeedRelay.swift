// SPDX-License-Identifier: Apache-2.0

import TestSupport
import WaymarkProtocol
import ZeroMQ

/// Relays storage's feed to query, and can drop messages.
actor FeedRelay {
    private let loop = EventLoop.forTest("feed-relay")
    private var incoming: Socket?
    private var outgoing: Socket?
    private var watch: SocketWatch?
    private var changesToDrop = 0
    private var isBehind = false
    /// The latest beacon since the last change.
    private var beacon: [[UInt8]]?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func open(from source: String, to endpoint: String, context: Context) throws {
        let outgoing = try Socket(.pub, context: context, options: .service)
        _ = try outgoing.bind(endpoint)
        let incoming = try Socket(.sub, context: context, options: .client)
        try incoming.subscribe(FeedTopic.everything.bytes)
        try incoming.connect(source)
        watch = loop.watch(incoming, for: self, onReadable: { $0.drain() })
        self.incoming = consume incoming
        self.outgoing = consume outgoing
    }

    /// Drops the next changes, but not beacons.
    func drop(changes count: Int) { changesToDrop = count }

    /// Keeps changes back, and repeats the last beacon in place of newer ones, or no longer does. So who follows stays
    /// behind for as long as the test needs: after seconds of silence it would read the log.
    func setBehind(_ isBehind: Bool) async throws {
        if isBehind { await loop.wait { self.beacon != nil } }
        self.isBehind = isBehind
    }

    private func drain() {
        var message = Message()
        while (try? incoming?.receive(into: &message)) == true {
            let changes = Self.changes(in: message)
            var frames: [[UInt8]] = []
            for place in 0..<message.count { frames.append(message.bytes(at: place)) }
            if isBehind {
                guard changes == 0, let beacon else { continue }
                frames = beacon
            } else if changes > 0 {
                beacon = nil
                if changesToDrop > 0 {
                    changesToDrop -= changes
                    continue
                }
            } else {
                beacon = frames
            }
            var copy = Message()
            for frame in frames { copy.append(frame) }
            _ = try? outgoing?.send(&copy)
        }
    }

    private static func changes(in message: borrowing Message) -> Int {
        let topic = FeedTopic.everything.bytes
        guard message.count == 1 else { return 0 }
        return message.withUnsafeBytes(at: 0) { bytes in
            guard bytes.starts(with: topic) else { return 0 }
            return FeedBatchView(UnsafeRawBufferPointer(rebasing: bytes[topic.count...]))?.count ?? 0
        }
    }

    /// A test that throws may leave it open. Its sockets then close here, on its loop.
    isolated deinit {
        watch?.cancel()
    }

    func close() async {
        watch?.cancel()
        watch = nil
        incoming = nil
        outgoing = nil
        await loop.stop()
    }
}
