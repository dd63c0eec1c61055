// SPDX-License-Identifier: Apache-2.0

extension AsyncSocket {
    /// The next message, as soon as there is one.
    ///
    /// Throws ``ZeroMQError/Code/closed``, ``ZeroMQError/Code/cancelled``, ``ZeroMQError/Code/busy``, or, after
    /// ``Context/shutdown()``, ``ZeroMQError/Code/terminated``; the socket is closed then. No message is lost by a
    /// cancellation: it stays for the next call.
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

    /// The messages from now on, each as soon as it is asked for. Ends when the socket is closed, its context shut down,
    /// or the task cancelled; throws for anything else.
    ///
    /// Nothing is read ahead, so one who is slow slows the senders down. For one task at a time.
    public nonisolated var messages: AsyncMessages { AsyncMessages(socket: self) }

    /// Closes the socket when it meets the end of its context, which waits for that.
    func closingAfterTheEnd<Value>(_ body: () throws(ZeroMQError) -> Value) throws(ZeroMQError) -> Value {
        do throws(ZeroMQError) {
            return try body()
        } catch {
            if error.code == .terminated { close() }
            throw error
        }
    }
}

/// The messages of an ``AsyncSocket``.
public struct AsyncMessages: AsyncSequence, Sendable {
    public typealias Element = ReceivedMessage
    public typealias Failure = ZeroMQError

    fileprivate let socket: AsyncSocket

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: socket) }

    /// Asks the socket for each message.
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
