// SPDX-License-Identifier: Apache-2.0
import ZeroMQ

/// Sends each message back to whoever sent it.
actor Echo {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var socket: Socket?
    private var watch: SocketWatch?
    /// Reused, so that receiving allocates nothing.
    private var message = Message()

    init(_ loop: EventLoop) { self.loop = loop }

    func open(at endpoint: String, _ context: Context) throws -> String {
        let socket = try Socket(.router, context: context, options: .service)
        let bound = try socket.bind(endpoint)
        watch = loop.watch(socket, for: self, onReadable: { $0.drain() })
        self.socket = consume socket
        return bound
    }

    private func drain() {
        do {
            while try socket?.receive(into: &message) == true {
                guard try socket?.send(&message) != .sent else { continue }
                // The peer is slow or gone: a service drops its answer, and counts that.
            }
        } catch {
            // The context was shut down.
            watch = nil
            socket = nil
        }
    }
}
