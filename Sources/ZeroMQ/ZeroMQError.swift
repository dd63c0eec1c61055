// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// An error of a call to libzmq that is of no use to repeat.
///
/// "Nothing to receive", "would block" and "no such peer" are not errors: ``Socket/receive(into:)`` and
/// ``Socket/send(_:)`` return them as values. An interrupted call (`EINTR`) is repeated internally.
public struct ZeroMQError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error, as a closed set. For details see ``ZeroMQError/errno``.
    public enum Code: Sendable, Equatable {
        /// Another socket is bound to this endpoint (`EADDRINUSE`).
        case addressInUse
        /// The interface or address does not belong to this machine (`EADDRNOTAVAIL`, `ENODEV`).
        case addressNotAvailable
        /// libzmq does not accept the endpoint, option or key (`EINVAL`).
        case invalidArgument
        /// The transport is unknown, or does not fit this kind of socket (`EPROTONOSUPPORT`, `ENOCOMPATPROTO`).
        case unsupportedProtocol
        /// The context was shut down. Close the socket, which is of no further use (`ETERM`).
        case terminated
        /// This socket never bound or connected the endpoint (`ENOENT`).
        case noSuchEndpoint
        /// The socket's pattern does not allow this call now, for example if a `req` sends twice (`EFSM`).
        case wrongState
        /// The context's limit of sockets, or the process's limit of open files, is reached (`EMFILE`).
        case tooManySockets
        /// The kernel or the file system refused (`EACCES`, `EPERM`).
        case permissionDenied
        /// This kind of socket does not support the operation (`ENOTSUP`).
        case notSupported
        /// ``SocketOptions/heartbeat`` was set on a socket that connects. libzmq 4.3.4 might abort the process.
        case heartbeatOnConnectingSocket
        /// The process cannot create another thread (`EAGAIN` of `pthread_create`).
        case noThread
        /// The context has a ``ZAPHandler`` already.
        case zapHandlerExists
        /// For ``AsyncSocket``: a `router` has no peer with this routing id (`EHOSTUNREACH`).
        case unroutable
        /// For ``AsyncSocket``: the queue of the `router` to this peer is full (`EAGAIN`).
        case peerIsSlow
        /// For ``AsyncSocket``: another task already receives, or already sends.
        case busy
        /// For ``AsyncSocket``: the task was cancelled while it waited. Nothing was sent or received.
        case cancelled
        /// For ``AsyncSocket``: the socket was closed with ``AsyncSocket/close()``.
        case closed
        /// Any other error; see ``ZeroMQError/errno``.
        case other
    }

    /// The kind of error.
    public let code: Code
    /// libzmq's error number, for example `EADDRINUSE`.
    public let errno: Int32
    /// The function or the option that failed, for example `zmq_bind` or `ZMQ_ZAP_DOMAIN`.
    public let operation: String
    /// The endpoint of the failed call; `nil` if it had none.
    public let endpoint: String?

    /// If the error is about binding, a sentence with the endpoint. Otherwise the operation and the endpoint, followed
    /// by the remedy if this library knows one, or by libzmq's own words.
    public var description: String {
        if let endpoint, operation == Self.binding, let sentence = refusal(to: endpoint) { return sentence }
        let place = endpoint.map { " \($0)" } ?? ""
        return "\(operation)\(place): \(advice ?? "\(String(cString: zmq_strerror(errno))) (\(errno))")"
    }

    private var advice: String? {
        switch code {
        case .heartbeatOnConnectingSocket: "heartbeats are for sockets that bind; on others libzmq 4.3.4 may abort"
        case .noThread: "the process cannot have one more thread: raise its limit (ulimit -u)"
        case .tooManySockets where operation == "eventfd":
            "no file descriptor is left for an event loop: raise the limit (ulimit -n)"
        case .zapHandlerExists: "this context has a ZAP handler already: stop it, or change what it admits"
        case .unroutable: "no peer has this routing id: the peer has gone, or was never there"
        case .peerIsSlow: "the queue to this peer is full: drop the message, or send it later"
        case .busy: "another task already receives or sends on this socket: let one task receive and one send"
        case .cancelled: "the task was cancelled while it waited"
        case .closed: "the socket was closed"
        default: nil
        }
    }

    static var binding: String { "zmq_bind" }

    /// Describes why a socket cannot listen at an endpoint, with a remedy. `nil` if libzmq's own words are as good.
    private func refusal(to endpoint: String) -> String? {
        switch code {
        case .addressInUse:
            "The endpoint \(endpoint) is in use already: stop the server there, or listen at another one."
        case .addressNotAvailable:
            "The endpoint \(endpoint) has no address of this machine: listen at one of its own, or at 127.0.0.1."
        case .permissionDenied:
            "This user may not listen at \(endpoint): take a port from 1024 on, or a folder that this user may write."
        case .noSuchEndpoint: "The folder of \(endpoint) does not exist: make it, or listen elsewhere."
        case .invalidArgument, .unsupportedProtocol:
            "\(endpoint) is no endpoint to listen at: give tcp://ADDRESS:PORT or ipc://PATH."
        case .other where errno == ENAMETOOLONG:
            "The path of \(endpoint) is too long for a socket, which has at most 107 bytes: take a shorter one."
        default: nil
        }
    }

    /// Returns the error of libzmq's last call on this thread, for code that calls libzmq itself.
    public static func last(_ operation: String, endpoint: String? = nil) -> ZeroMQError {
        ZeroMQError(operation, endpoint: endpoint)
    }

    init(_ operation: String, endpoint: String? = nil, code: Code? = nil, errno number: Int32 = zmq_errno()) {
        self.code = code ?? Code(number)
        self.errno = number
        self.operation = operation
        self.endpoint = endpoint
    }
}

extension ZeroMQError.Code {
    init(_ number: Int32) {
        self =
            switch number {
            case EADDRINUSE: .addressInUse
            case EADDRNOTAVAIL, ENODEV: .addressNotAvailable
            case EINVAL: .invalidArgument
            case EPROTONOSUPPORT, ENOCOMPATPROTO: .unsupportedProtocol
            case ETERM: .terminated
            case ENOENT: .noSuchEndpoint
            case EFSM: .wrongState
            case EMFILE, ENFILE: .tooManySockets
            case EACCES, EPERM: .permissionDenied
            case ENOTSUP: .notSupported
            default: .other
            }
    }
}
