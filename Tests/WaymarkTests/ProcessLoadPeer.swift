// SPDX-License-Identifier: Apache-2.0

import Foundation
import ZeroMQ

/// A REP socket without knowledge of load tests: it answers each request with the same word.
final class ProcessLoadPeer: Sendable {
    let endpoint = Awaited<String?>(nil)
    /// The number of answered requests.
    let answered = Awaited<UInt64>(0)
    private let isOver = Locked(false)
    private let ended = Awaited(false)

    init() {
        Thread.detachNewThread { [self] in
            try? serve()
            ended.update { $0 = true }
        }
    }

    func stop() async throws {
        isOver.withLock { $0 = true }
        try await ended.wait(.seconds(10), for: "the end of the peer") { $0 ? () : nil }
    }

    private func serve() throws {
        let context = try Context()
        let socket = try Socket(.rep, context: context)
        let bound = try socket.bind("tcp://127.0.0.1:*")
        endpoint.update { $0 = bound }
        var poller = Poller()
        poller.add(socket)
        var message = Message()
        while !isOver.withLock({ $0 }) {
            guard try poller.wait(.milliseconds(20)) else { continue }
            while try socket.receive(into: &message) {
                message.removeAll()
                message.append(Array("yes".utf8))
                _ = try socket.send(&message)
                answered.update { $0 += 1 }
            }
        }
    }
}
