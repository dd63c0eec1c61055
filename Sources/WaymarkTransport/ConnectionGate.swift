// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import ZeroMQ

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Bounds the connections of one listening socket, by what its monitor tells.
///
/// libzmq accepts whoever comes. One connection more than there may be is ended here, right after it was accepted, so
/// those that are there stay. (To stop listening is no way: `zmq_unbind` of 4.3.4 ends all connections of the endpoint,
/// and tells nobody.)
///
/// When there is no file descriptor left, `accept` fails, the connection stays in the kernel's queue, and libzmq's thread
/// tries again without pause: measured on 4.3.4, some 50,000 failures and events a second. A few descriptors are kept in
/// reserve for that: they are let go of, what waits is accepted and ended, and then they are taken again.
final class ConnectionGate {
    private let limit: Int
    private let port: UInt16?
    private var spares: [Int32] = []
    /// Until when newcomers are turned away because descriptors have run out, on the monotonic clock.
    private var shortUntil: UInt64 = 0
    /// Whether newcomers are turned away, however few there are.
    var isShut = false
    private(set) var open = 0
    private(set) var turnedAway: UInt64 = 0
    private(set) var shortages: UInt64 = 0

    private static let spareCount = 4
    private static let shortPause: UInt64 = 1_000

    /// - Parameters:
    ///   - limit: connections at once.
    ///   - endpoint: as it was bound.
    init(limit: Int, endpoint: String) {
        self.limit = limit
        port = endpoint.hasPrefix("tcp:") ? endpoint.split(separator: ":").last.flatMap { UInt16($0) } : nil
        takeSpares()
    }

    deinit { dropSpares() }

    func noticed(_ event: SocketEvent) {
        switch event {
        case .accepted(let descriptor):
            open += 1
            let now = Monotonic.milliseconds
            guard isShut || open > limit || now < shortUntil else {
                if spares.isEmpty { takeSpares() }
                return
            }
            if end(descriptor) { turnedAway += 1 }
        case .disconnected: open = max(0, open - 1)
        case .acceptFailed(let number) where number == EMFILE || number == ENFILE:
            let now = Monotonic.milliseconds
            if now >= shortUntil { shortages += 1 }
            shortUntil = now + Self.shortPause
            dropSpares()
        default: break
        }
    }

    /// Takes spare descriptors again once there are some. To be called from time to time.
    func settle() {
        if spares.isEmpty, Monotonic.milliseconds >= shortUntil { takeSpares() }
    }

    /// Ends a connection whose descriptor libzmq owns: its thread finds it closed, as if the peer had gone.
    ///
    /// The number may have become another's meanwhile. So nothing but a connection of this very endpoint is touched; the
    /// worst is that a later one of them has to connect again.
    private func end(_ descriptor: Int32) -> Bool {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isSocket = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
        guard isSocket else { return false }
        switch Int32(address.ss_family) {
        case AF_UNIX: guard port == nil else { return false }
        // The port stands at the same place in an address of both families.
        case AF_INET, AF_INET6:
            let found = withUnsafeBytes(of: address) { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }
            guard let port, UInt16(bigEndian: found) == port else { return false }
        default: return false
        }
        return shutdown(descriptor, Int32(SHUT_RDWR)) == 0
    }

    private func takeSpares() {
        while spares.count < Self.spareCount {
            let descriptor = openFile("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return }
            spares.append(descriptor)
        }
    }

    private func dropSpares() {
        for descriptor in spares { close(descriptor) }
        spares = []
    }
}

/// A name of its own: within the class `open` is how many connections there are.
private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
