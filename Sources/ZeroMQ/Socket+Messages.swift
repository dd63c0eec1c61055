// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// The result of sending a message.
public enum SendOutcome: Sendable, Hashable {
    /// libzmq has taken the message, which is empty now.
    case sent
    /// The queue to the peer is full, or there is no peer yet. The message is intact.
    case wouldBlock
    /// No peer of a `router` with ``SocketOptions/routerMandatory`` has this routing id. The message is intact.
    case unroutable
}

extension Socket {
    /// Receives one whole message, replacing the content of `message`. Never blocks.
    ///
    /// - Returns: `false` if no message waits. In this case `message` is empty.
    public borrowing func receive(into message: inout Message) throws(ZeroMQError) -> Bool {
        let handle = shared.handle
        message.removeAll()
        repeat {
            let slot = message.room()
            zmq_msg_init(slot)
            // "A multi-part message is received as a whole or not at all", so the other frames are already there.
            while zmq_msg_recv(slot, handle, ZMQ_DONTWAIT) < 0 {
                let number = zmq_errno()
                if number == EINTR { continue }
                message.removeAll()
                if number == EAGAIN {
                    shared.foundNothing()
                    return false
                }
                throw ZeroMQError("zmq_msg_recv", errno: number)
            }
            message.countRoom()
        } while zmq_msg_more(message.slot(message.count - 1)) != 0
        return true
    }

    /// Sends a message of at least one frame. Never blocks.
    ///
    /// libzmq takes either all frames or none. After ``SendOutcome/sent`` the message is empty; after any other outcome
    /// or an error it is intact.
    public borrowing func send(_ message: inout Message) throws(ZeroMQError) -> SendOutcome {
        let count = message.count
        precondition(count > 0, "a message without frames cannot be sent")
        let outcome = try Self.offer(message.slot(0), count, to: shared.handle)
        if outcome == .sent { message.forgetSentFrames() }
        return outcome
    }

    /// Sends each message of a batch as ``send(_:)`` would. Never blocks. Afterwards the batch is empty, errors
    /// included.
    ///
    /// - Parameter report: called with the outcome of each message, in order. A message that was not sent is dropped.
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

    /// Sends the frames after the first. libzmq counts whole messages against the high-water mark, so once it has taken
    /// the first frame, it takes the others.
    ///
    /// Sending them fails only if the connection ends in between. libzmq then drops the frames that it has taken, and
    /// the frames still to come until the last. So all frames must be offered, and a frame that libzmq refuses
    /// (`EAGAIN` from a connection that has just ended, `ETERM`) is closed. To the sender, the message was sent and
    /// lost with its peer.
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
