// SPDX-License-Identifier: Apache-2.0

import TestSupport
import WaymarkProtocol
import ZeroMQ

/// The way from storage's feed to query, on which messages can be lost.
actor FeedRelay {
    private let loop = EventLoop.forTest("feed-relay")
    private var incoming: Socket?
    private var outgoing: Socket?
    private var watch: SocketWatch?
    private var changesToDrop = 0
    private var isSilent = false

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

    /// The next changes do not arrive; beacons do.
    func drop(changes count: Int) { changesToDrop = count }

    /// Nothing arrives, or everything again.
    func setSilent(_ isSilent: Bool) { self.isSilent = isSilent }

    private func drain() {
        var message = Message()
        while (try? incoming?.receive(into: &message)) == true {
            if isSilent { continue }
            if message.count == 3, changesToDrop > 0 {
                changesToDrop -= 1
                continue
            }
            var copy = Message()
            for place in 0..<message.count { copy.append(message.bytes(at: place)) }
            _ = try? outgoing?.send(&copy)
        }
    }

    /// A test that throws leaves it open: its sockets close on its loop all the same.
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
