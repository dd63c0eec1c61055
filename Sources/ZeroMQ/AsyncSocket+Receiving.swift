// SPDX-License-Identifier: Apache-2.0

extension AsyncSocket {
    /// Waits for the next message and returns it.
    ///
    /// Throws ``ZeroMQError/Code/closed``, ``ZeroMQError/Code/cancelled``, ``ZeroMQError/Code/busy``, or, after
    /// ``Context/shutdown()``, ``ZeroMQError/Code/terminated``; in the last case the socket is then closed. No message
    /// is lost if the task is cancelled, because the next call receives it.
    public func receive() async throws(ZeroMQError) -> ReceivedMessage {
        guard enter(.receiving) else { throw busy("zmq_msg_recv") }
        defer { leave(.receiving) }
        while true {
            if Task.isCancelled { throw cancelled("zmq_msg_recv") }
            try checkOpen("zmq_msg_recv")
            var message = Message()
            if try closingAfterTheEnd({ () throws(ZeroMQError) in try receive(into: &message) }) {
                return ReceivedMessage(message)
            }
            await wait(for: .receiving)
        }
    }

    /// The messages that arrive from now on, in order. The sequence ends when the socket is closed, its context is shut
    /// down, or the task is cancelled. It throws all other errors.
    ///
    /// The sequence reads nothing ahead, so a slow reader slows the senders down. Only one task at a time may iterate.
    public nonisolated var messages: AsyncMessages { AsyncMessages(socket: self) }

    /// Runs `body`, and closes the socket if the context was shut down, because ``Context/terminate()`` waits for that.
    func closingAfterTheEnd<Value>(_ body: () throws(ZeroMQError) -> Value) throws(ZeroMQError) -> Value {
        do throws(ZeroMQError) {
            return try body()
        } catch {
            if error.code == .terminated { close() }
            throw error
        }
    }
}

/// The sequence of messages that an ``AsyncSocket`` receives.
public struct AsyncMessages: AsyncSequence, Sendable {
    public typealias Element = ReceivedMessage
    public typealias Failure = ZeroMQError

    fileprivate let socket: AsyncSocket

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: socket) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let socket: AsyncSocket

        public mutating func next(isolation: isolated (any Actor)?) async throws(ZeroMQError) -> ReceivedMessage? {
            do throws(ZeroMQError) {
                return try await socket.receive()
            } catch {
                switch error.code {
                case .closed, .cancelled, .terminated: return nil
                default: throw error
                }
            }
        }
    }
}
