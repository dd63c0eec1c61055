// SPDX-License-Identifier: Apache-2.0

import Glibc
import ZeroMQ

/// Limits the number of connections to one listening socket, using the events of the socket's monitor.
///
/// libzmq accepts every connection. The gate closes each new connection beyond the limit right after libzmq accepted
/// it, so the earlier connections stay. (The gate cannot stop listening instead, because `zmq_unbind` of 4.3.4 closes
/// all connections of the endpoint, without an event.)
///
/// When the process has no file descriptor left, `accept` fails, the connection stays in the kernel's queue, and
/// libzmq's thread tries again without a pause: with 4.3.4 some 50,000 failures and events a second were measured. So
/// the gate keeps a few descriptors open in reserve. In a shortage it closes them, so that libzmq can accept the
/// waiting connections; it closes those connections too, and then opens its reserve again.
final class ConnectionGate {
    private let limit: Int
    private let port: UInt16?
    private var spares: [Int32] = []
    /// The monotonic milliseconds at which a shortage of descriptors ends. New connections are closed until then.
    private var shortUntil: UInt64 = 0
    /// Whether every new connection is closed, even below the limit.
    var isShut = false
    private(set) var open = 0
    private(set) var turnedAway: UInt64 = 0
    private(set) var shortages: UInt64 = 0

    private static let spareCount = 4
    private static let shortPause: UInt64 = 1_000

    /// - Parameters:
    ///   - limit: the maximum number of simultaneous connections.
    ///   - endpoint: the endpoint that the socket is bound to.
    init(limit: Int, endpoint: String) {
        self.limit = limit
        port = endpoint.hasPrefix("tcp:") ? endpoint.split(separator: ":").last.flatMap { UInt16($0) } : nil
        takeSpares()
    }

    deinit { dropSpares() }

    /// Counts an event of the monitor, and closes a new connection that is not allowed.
    ///
    /// - Returns: whether the event is a new connection that was kept.
    @discardableResult
    func noticed(_ event: SocketEvent) -> Bool {
        switch event {
        case .accepted(let descriptor):
            open += 1
            let now = Monotonic.milliseconds
            guard isShut || open > limit || now < shortUntil else {
                if spares.isEmpty { takeSpares() }
                return true
            }
            turnAway(descriptor)
        case .disconnected: open = max(0, open - 1)
        case .acceptFailed(let number) where number == EMFILE || number == ENFILE:
            let now = Monotonic.milliseconds
            if now >= shortUntil { shortages += 1 }
            shortUntil = now + Self.shortPause
            dropSpares()
        default: break
        }
        return false
    }

    /// Ends a connection and counts it as turned away.
    func turnAway(_ descriptor: Int32) {
        if end(descriptor) { turnedAway += 1 }
    }

    /// Opens the reserve of descriptors again when the shortage is over. Call it about once a second.
    func settle() {
        if spares.isEmpty, Monotonic.milliseconds >= shortUntil { takeSpares() }
    }

    /// Shuts down a connection whose descriptor libzmq owns. libzmq's thread then finds it closed, as if by the peer.
    ///
    /// By now the descriptor may belong to another file, so it is shut down only if it is a connection to this
    /// endpoint. At worst a later connection to this endpoint is shut down, and its client has to connect again.
    func end(_ descriptor: Int32) -> Bool {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isSocket = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
        guard isSocket else { return false }
        switch Int32(address.ss_family) {
        case AF_UNIX: guard port == nil else { return false }
        // Addresses of both families, IPv4 and IPv6, have the port at the same byte offset.
        case AF_INET, AF_INET6:
            let found = withUnsafeBytes(of: address) { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }
            guard let port, UInt16(bigEndian: found) == port else { return false }
        default: return false
        }
        return shutdown(descriptor, Int32(SHUT_RDWR)) == 0
    }

    private func takeSpares() {
        while spares.count < Self.spareCount {
            let descriptor = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return }
            spares.append(descriptor)
        }
    }

    private func dropSpares() {
        for descriptor in spares { close(descriptor) }
        spares = []
    }
}
