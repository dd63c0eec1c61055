// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcess
import ZeroMQ

/// A socket without knowledge of load tests. A REP socket answers each request with the same word; any other kind
/// answers nothing.
final class ProcessLoadPeer: Sendable {
    let endpoint = Awaited<String?>(nil)
    /// The number of answered requests.
    let answered = Awaited<UInt64>(0)
    private let isOver = Locked(false)
    private let ended = Awaited(false)

    init(_ kind: Socket.Kind = .rep, at endpoint: String = "tcp://127.0.0.1:*", options: SocketOptions = .init()) {
        Thread.detachNewThread { [self] in
            try? serve(kind, endpoint, options)
            ended.update { $0 = true }
        }
    }

    func stop() async throws {
        isOver.withLock { $0 = true }
        try await ended.wait(.seconds(60), for: "the end of the peer") { $0 ? () : nil }
    }

    private func serve(_ kind: Socket.Kind, _ place: String, _ options: SocketOptions) throws {
        let context = try Context()
        let socket = try Socket(kind, context: context, options: options)
        let bound = try socket.bind(place)
        endpoint.update { $0 = bound }
        var poller = Poller()
        poller.add(socket)
        var message = Message()
        while !isOver.withLock({ $0 }) {
            guard try poller.wait(.milliseconds(20)) else { continue }
            while try socket.receive(into: &message) {
                guard kind == .rep else { continue }
                message.removeAll()
                message.append(Array("yes".utf8))
                _ = try socket.send(&message)
                answered.update { $0 += 1 }
            }
        }
    }
}
