// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Reads the security mechanism from a server's greeting, by sending the beginning of a greeting and no more.
///
/// A server that uses another mechanism than its client closes the connection as soon as it has read the client's whole
/// greeting. The client learns the reason only if the server's greeting was sent before, which on a busy machine is
/// often not so. A server sends its whole greeting once it has read the version in the client's; so this client stops there.
final class GreetingProbe {
    /// The signature of a greeting and its version, 3 (ZMTP 3.1, https://rfc.zeromq.org/spec/37/).
    private static let beginning: [UInt8] = [0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3]
    /// The place of the mechanism's name in a greeting, which is padded with zeros.
    private static let mechanism = 12..<32
    private static let patience = Duration.seconds(2)

    private let socket: Socket
    private let told: (String?) -> Void
    private var message = Message()
    private var greeting: [UInt8] = []
    private var hasBegun = false
    private var watch: SocketWatch?
    private var timer: LoopTimer?

    /// - Parameter told: called once on the event loop with the mechanism's name, or with nil if the server does not
    ///   tell one.
    init(
        _ endpoint: String, loop: EventLoop, context: Context, told: @escaping (String?) -> Void
    ) throws(ZeroMQError) {
        var options = SocketOptions.client
        options.ioThread = IOThreads.others
        options.ipv6 = EndpointFamily.isIPv6(endpoint)
        socket = try Socket(.stream, context: context, options: options)
        self.told = told
        watch = loop.watch(socket, onReadable: { [weak self] in self?.drain() })
        timer = loop.schedule(after: Self.patience) { [weak self] in self?.end(nil) }
        try socket.connect(endpoint)
    }

    func cancel() {
        watch?.cancel()
        timer?.cancel()
        (watch, timer) = (nil, nil)
    }

    private func end(_ mechanism: String?) {
        guard watch != nil else { return }
        cancel()
        told(mechanism)
    }

    /// Receives the id of the connection with each piece of bytes. An empty piece tells that the connection was made,
    /// or that it was lost.
    private func drain() {
        while watch != nil, (try? socket.receive(into: &message)) == true, message.count == 2 {
            let piece = message.bytes(at: 1)
            if piece.isEmpty, !begin(with: message.bytes(at: 0)) { return end(nil) }
            greeting += piece
            guard greeting.count >= Self.mechanism.upperBound else { continue }
            return end(String(decoding: greeting[Self.mechanism].prefix { $0 != 0 }, as: UTF8.self))
        }
    }

    /// - Returns: false if the connection, whose id is given, was lost.
    private func begin(with id: [UInt8]) -> Bool {
        guard !hasBegun else { return false }
        hasBegun = true
        message.removeAll()
        message.append(id)
        message.append(Self.beginning)
        return (try? socket.send(&message)) == .sent
    }
}
