// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// libzmq's I/O threads, and the name space of its `inproc` endpoints. A process needs one context for all its sockets.
///
/// Shutting down takes two steps, in this order. ``shutdown()`` makes every call on the sockets fail with
/// ``ZeroMQError/Code/terminated``, so that their owners close them. ``terminate()`` then waits until all sockets are
/// closed. Each ``Socket`` keeps its context alive, so releasing a context never waits for a socket.
public final class Context: Sendable {
    /// libzmq: "A ØMQ context is thread safe and may be shared among as many application threads as necessary, without
    /// any additional locking required". Only using it after `zmq_ctx_term` is an error; `isTerminating` prevents that.
    nonisolated(unsafe) private let handle: UnsafeMutableRawPointer
    private let isTerminating = Locked(false)
    /// The number of I/O threads.
    public let ioThreads: Int

    /// - Parameters:
    ///   - ioThreads: the number of threads for the connections. One thread carries about a gigabyte per second.
    ///   - maxSockets: the maximum number of open sockets. Each monitor counts as a socket.
    public init(ioThreads: Int = 1, maxSockets: Int = 4096) throws(ZeroMQError) {
        guard let handle = zmq_ctx_new() else { throw ZeroMQError("zmq_ctx_new") }
        self.handle = handle
        self.ioThreads = ioThreads
        try set(ZMQ_IO_THREADS, to: ioThreads, "ZMQ_IO_THREADS")
        try set(ZMQ_MAX_SOCKETS, to: maxSockets, "ZMQ_MAX_SOCKETS")
    }

    deinit { terminate() }

    /// The version of the loaded libzmq, for example `4.3.4`.
    public static var libraryVersion: String {
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        zmq_version(&major, &minor, &patch)
        return "\(major).\(minor).\(patch)"
    }

    /// Makes every blocking or later call on this context's sockets fail with ``ZeroMQError/Code/terminated``.
    ///
    /// The sockets must still be closed. May be called from any thread and more than once.
    public func shutdown() {
        isTerminating.withLock { isTerminating in
            if !isTerminating { _ = zmq_ctx_shutdown(handle) }
        }
    }

    /// Blocks until all sockets are closed and have lingered, then frees the context. Later calls do nothing.
    ///
    /// Must not be called on the thread of an ``EventLoop`` with open sockets, because it would wait for itself.
    public func terminate() {
        let isFirst = isTerminating.withLock { isTerminating in
            defer { isTerminating = true }
            return !isTerminating
        }
        guard isFirst else { return }
        // "EINTR: Termination was interrupted by a signal. It can be restarted if needed."
        while zmq_ctx_term(handle) != 0, zmq_errno() == EINTR {}
    }

    func makeSocket(_ kind: Socket.Kind) throws(ZeroMQError) -> UnsafeMutableRawPointer {
        // The call runs under the lock, so that `terminate()` cannot free the context between the check and the call.
        let result: (address: UInt, errno: Int32) = isTerminating.withLock { isTerminating in
            if isTerminating { return (0, ETERM) }
            guard let socket = zmq_socket(handle, kind.rawValue) else { return (0, zmq_errno()) }
            return (UInt(bitPattern: socket), 0)
        }
        guard let socket = UnsafeMutableRawPointer(bitPattern: result.address) else {
            throw ZeroMQError("zmq_socket", errno: result.errno)
        }
        return socket
    }

    private func set(_ option: Int32, to value: Int, _ name: String) throws(ZeroMQError) {
        guard let value = Int32(exactly: value), zmq_ctx_set(handle, option, value) == 0 else {
            throw ZeroMQError(name, errno: EINVAL)
        }
    }
}
