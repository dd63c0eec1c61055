// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import TestSupport
import WaymarkProtocol
import ZeroMQ

/// A service of another version of the protocol: whatever it is asked, it refuses in its own version, as it must when
/// it cannot even read the request.
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

    /// A test that throws leaves it open: its sockets close on its loop all the same.
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
