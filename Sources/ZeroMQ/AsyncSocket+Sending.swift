// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension AsyncSocket {
    /// Sends a message of at least one frame. Waits while the queue to the peer is full, or while there is no peer.
    ///
    /// A `pub` does not wait: it drops messages for which a subscriber has no room. A `router` does not wait either,
    /// because one slow peer would hold up the others: it throws ``ZeroMQError/Code/peerIsSlow``, and with
    /// ``SocketOptions/routerMandatory`` ``ZeroMQError/Code/unroutable`` for a peer that has gone.
    ///
    /// Throws ``ZeroMQError/Code/closed``, ``ZeroMQError/Code/cancelled``, ``ZeroMQError/Code/busy`` and
    /// ``ZeroMQError/Code/terminated`` as ``receive()`` does, and ``ZeroMQError/Code/wrongState`` for a `req` or `rep`
    /// whose turn it is not. The message is empty afterwards; after an error it is intact.
    public func send(_ message: inout Message) async throws(ZeroMQError) {
        guard enter(.sending) else { throw busy("zmq_msg_send") }
        defer { leave(.sending) }
        while true {
            if Task.isCancelled { throw cancelled("zmq_msg_send") }
            try checkOpen("zmq_msg_send")
            let outcome = try closingAfterTheEnd { () throws(ZeroMQError) in try offer(&message) }
            switch outcome {
            case .sent: return
            case .unroutable: throw ZeroMQError("zmq_msg_send", code: .unroutable, errno: EHOSTUNREACH)
            // Waiting would not help: libzmq reports a router as writable as soon as any of its peers has room.
            case .wouldBlock where kind == .router:
                throw ZeroMQError("zmq_msg_send", code: .peerIsSlow, errno: EAGAIN)
            case .wouldBlock: await wait(for: .sending)
            }
        }
    }

    /// Sends this text as one UTF-8 frame; otherwise as ``send(_:)-(Message)``.
    public func send(_ text: String) async throws(ZeroMQError) {
        var message = Message()
        message.append(text)
        try await send(&message)
    }

    /// Sends one frame for each array, at least one; otherwise as ``send(_:)-(Message)``.
    public func send(_ frames: [[UInt8]]) async throws(ZeroMQError) {
        var message = Message()
        for frame in frames { message.append(frame) }
        try await send(&message)
    }

    /// Forwards or returns a received message; otherwise as ``send(_:)-(Message)``.
    public func send(_ received: ReceivedMessage) async throws(ZeroMQError) {
        var message = Message(received)
        try await send(&message)
    }
}
