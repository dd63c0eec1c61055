// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension AsyncSocket {
    /// Sends a message of at least one frame. Waits while the queue to the peer is full, or while there is no peer.
    ///
    /// A `pub` socket does not wait: it drops the message for each subscriber whose queue is full. A `router` socket
    /// does not wait either, because one slow peer would hold up the others. It throws ``ZeroMQError/Code/peerIsSlow``,
    /// or, if ``SocketOptions/routerMandatory`` is set and the peer has gone, ``ZeroMQError/Code/unroutable``.
    ///
    /// Throws ``ZeroMQError/Code/closed``, ``ZeroMQError/Code/cancelled``, ``ZeroMQError/Code/busy`` and
    /// ``ZeroMQError/Code/terminated`` as ``receive()`` does. Throws ``ZeroMQError/Code/wrongState`` for a `req` or
    /// `rep` socket that has to receive first. The message is empty afterwards, but intact after an error.
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
            // Waiting would not help, because libzmq reports a router as writable as soon as any of its peers has room.
            case .wouldBlock where kind == .router:
                throw ZeroMQError("zmq_msg_send", code: .peerIsSlow, errno: EAGAIN)
            case .wouldBlock: await wait(for: .sending)
            }
        }
    }

    /// Sends this text as a message of one UTF-8 frame. For waiting and errors see ``send(_:)-(Message)``.
    public func send(_ text: String) async throws(ZeroMQError) {
        var message = Message()
        message.append(text)
        try await send(&message)
    }

    /// Sends a message with one frame for each array, of which there must be at least one. For waiting and errors see
    /// ``send(_:)-(Message)``.
    public func send(_ frames: [[UInt8]]) async throws(ZeroMQError) {
        var message = Message()
        for frame in frames { message.append(frame) }
        try await send(&message)
    }

    /// Sends a received message, to forward or return it. For waiting and errors see ``send(_:)-(Message)``.
    public func send(_ received: ReceivedMessage) async throws(ZeroMQError) {
        var message = Message(received)
        try await send(&message)
    }
}
