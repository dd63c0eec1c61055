// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import TestSupport
import WaymarkProtocol
import ZeroMQ

/// A service of another protocol version. It refuses every request in its own version, as a service must that cannot
/// even read the request.
actor ProcessForeigner {
    private let loop = EventLoop.forTest("foreigner")
    private var socket: Socket?
    private var watch: SocketWatch?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func open(_ endpoint: String) throws -> String {
        let socket = try Socket(.router, context: Context(), options: .service)
        let bound = try socket.bind(endpoint)
        watch = loop.watch(socket, for: self, onReadable: { $0.answer() })
        self.socket = consume socket
        return bound
    }

    private func answer() {
        var message = Message()
        while (try? socket?.receive(into: &message)) == true {
            let reply = WireReply.with {
                $0.failure = ServiceError(.protocolVersion, "This service speaks version 9 only.").wire
            }
            guard let body: [UInt8] = try? reply.serializedBytes() else { return }
            var answer = Message()
            answer.append(message.bytes(at: 0))
            answer.append(Signature(.answer, version: 9).bytes)
            answer.append([])
            answer.append(body)
            _ = try? socket?.send(&answer)
        }
    }

    /// Also runs if a test throws: the actor's sockets are closed on their loop.
    isolated deinit {
        watch?.cancel()
    }

    func close() async {
        watch?.cancel()
        watch = nil
        socket = nil
        await loop.stop()
    }
}
