// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// The result of sending a message.
public enum SendOutcome: Sendable, Hashable {
    /// libzmq has taken the message, which is empty now.
    case sent
    /// The queue to the peer is full, or there is no peer yet. The message is intact.
    case wouldBlock
    /// `router` with ``SocketOptions/routerMandatory``: no peer has this routing id (any more). The message is intact.
    case unroutable
}

extension Socket {
    /// Receives one whole message, replacing the content of `message`. Never blocks.
    ///
    /// - Returns: `false` if there is none; `message` is empty then.
    public borrowing func receive(into message: inout Message) throws(ZeroMQError) -> Bool {
        let handle = shared.handle
        message.removeAll()
        repeat {
            let slot = message.room()
            zmq_msg_init(slot)
            // "A multi-part message is received as a whole or not at all": the frames after the first are there
            // already.
            while zmq_msg_recv(slot, handle, ZMQ_DONTWAIT) < 0 {
                let number = zmq_errno()
                if number == EINTR { continue }
                message.removeAll()
                if number == EAGAIN { return false }
                throw ZeroMQError("zmq_msg_recv", errno: number)
            }
            message.countRoom()
        } while zmq_msg_more(message.slot(message.count - 1)) != 0
        return true
    }

    /// Sends a message of at least one frame. Never blocks.
    ///
    /// The first frame decides whether all or none are sent. On ``SendOutcome/sent`` the message is empty, otherwise it
    /// is intact, also after an error.
    public borrowing func send(_ message: inout Message) throws(ZeroMQError) -> SendOutcome {
        let count = message.count
        precondition(count > 0, "a message without frames cannot be sent")
        let outcome = try Self.offer(message.slot(0), count, to: shared.handle)
        if outcome == .sent { message.forgetSentFrames() }
        return outcome
    }

    /// Sends each message of a batch as ``send(_:)`` would. Never blocks; the batch is empty afterwards, also after an
    /// error.
    ///
    /// - Parameter report: called with the result of each message, in order. A message that was not sent is dropped.
    public borrowing func send(_ batch: inout MessageBatch, _ report: (SendOutcome) -> Void) throws(ZeroMQError) {
        let handle = shared.handle
        defer { batch.removeAll() }
        for place in 0..<batch.count {
            let (first, count) = batch.message(place)
            report(try Self.offer(first, count, to: handle))
        }
    }

    /// Offers the frames of one message to libzmq, which leaves accepted frames empty.
    private static func offer(
        _ first: UnsafeMutablePointer<zmq_msg_t>, _ count: Int, to handle: UnsafeMutableRawPointer
    ) throws(ZeroMQError) -> SendOutcome {
        while zmq_msg_send(first, handle, count > 1 ? ZMQ_DONTWAIT | ZMQ_SNDMORE : ZMQ_DONTWAIT) < 0 {
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case EHOSTUNREACH: return .unroutable
            case let number: throw ZeroMQError("zmq_msg_send", errno: number)
            }
        }
        for index in 1..<max(count, 1) { sendRest(first + index, isLast: index == count - 1, to: handle) }
        return .sent
    }

    /// Sends the frames after the first. libzmq counts whole messages against the high-water mark, so once the first
    /// frame is in, the others fit.
    ///
    /// They fail only if the connection ends in between. libzmq then takes back the frames that it had, and drops those
    /// still to come until the last one, so all of them must be offered: a frame that it refuses (`EAGAIN` from a pipe
    /// that just ended, `ETERM`) is closed. For the sender such a message was sent and lost with its peer.
    private static func sendRest(
        _ slot: UnsafeMutablePointer<zmq_msg_t>, isLast: Bool, to handle: UnsafeMutableRawPointer
    ) {
        let flags = isLast ? ZMQ_DONTWAIT : ZMQ_DONTWAIT | ZMQ_SNDMORE
        while zmq_msg_send(slot, handle, flags) < 0 {
            if zmq_errno() == EINTR { continue }
            zmq_msg_close(slot)
            return
        }
    }
}
