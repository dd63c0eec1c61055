// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestProcess
import ZeroMQ

/// A TCP proxy on loopback in front of a service, which causes the faults of a network.
public final class TCPProxy: Sendable {
    /// The faults to cause, now or for the next bytes.
    struct Orders: Sendable {
        var isClosed = false
        /// Nothing passes and no end is notified: a half-open connection.
        var isFrozen = false
        /// How many whole messages of the service to drop on each connection.
        var drops = 0
        /// Numbers the orders to drop, so that each connection obeys each order once.
        var dropOrder = 0
        var delay: UInt32 = 0
        /// The sockets of both ends of each connection.
        var connections: [Int: (client: Int32, server: Int32)] = [:]
        var lastConnection = 0
        var dropped = 0
        var passed = 0
    }

    public let port: UInt16
    public let target: UInt16
    private let hasMessages: Bool
    private let listener: Int32
    private let orders = Locked(Orders())
    private let thaw = NSCondition()

    /// - Parameter messages: whether the service speaks ZeroMQ, whose messages can be dropped.
    public init(port: UInt16, to target: UInt16, messages: Bool = true) throws {
        (self.port, self.target, hasMessages) = (port, target, messages)
        listener = try Ports.listen(port)
        Thread.detachNewThread { [self] in accept() }
    }

    public var endpoint: String { "tcp://127.0.0.1:\(port)" }
    /// How many whole messages were dropped.
    public var dropped: Int { orders.withLock { $0.dropped } }

    /// How many bytes of the service were forwarded.
    public var passed: Int { orders.withLock { $0.passed } }

    /// Closes all connections.
    public func cut() {
        orders.withLock { orders in
            for ends in orders.connections.values {
                shutdown(ends.client, Int32(SHUT_RDWR))
                shutdown(ends.server, Int32(SHUT_RDWR))
            }
        }
    }

    public func freeze(_ isFrozen: Bool) {
        orders.withLock { $0.isFrozen = isFrozen }
        wake()
    }

    /// Waits while nothing may pass.
    private func awaitThaw() {
        thaw.lock()
        defer { thaw.unlock() }
        while orders.withLock({ $0.isFrozen && !$0.isClosed }) { thaw.wait() }
    }

    private func wake() {
        thaw.lock()
        thaw.broadcast()
        thaw.unlock()
    }

    /// Delays everything that passes by this time.
    public func delay(milliseconds: UInt32) { orders.withLock { $0.delay = milliseconds } }

    /// Drops the next messages of the service, whole ones, on every connection.
    public func drop(messages: Int) {
        orders.withLock { orders in
            orders.drops = messages
            orders.dropOrder += 1
        }
    }

    /// Closes all connections and accepts no more.
    public func close() {
        orders.withLock { $0.isClosed = true }
        wake()
        cut()
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func accept() {
        while !orders.withLock({ $0.isClosed }) {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else {
                if errno != EINTR { usleep(1_000) }
                continue
            }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            awaitThaw()
            guard let server = Ports.connect(target) else {
                Glibc.close(client)
                continue
            }
            let number = orders.withLock { orders in
                orders.lastConnection += 1
                orders.connections[orders.lastConnection] = (client, server)
                return orders.lastConnection
            }
            let ends = Locked(2)
            for (from, to, filter) in [(client, server, false), (server, client, hasMessages)] {
                Thread.detachNewThread { [self] in
                    pump(from, to, drops: filter)
                    shutdown(from, Int32(SHUT_RDWR))
                    shutdown(to, Int32(SHUT_RDWR))
                    let left = ends.withLock { count in
                        count -= 1
                        return count
                    }
                    guard left == 0 else { return }
                    orders.withLock { $0.connections[number] = nil }
                    Glibc.close(client)
                    Glibc.close(server)
                }
            }
        }
        Glibc.close(listener)
    }

    private func pump(_ from: Int32, _ to: Int32, drops: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var messages = ZMTPStream()
        var obeyed = orders.withLock { $0.dropOrder }
        while true {
            let count = read(from, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return }
            awaitThaw()
            let (delay, order, number) = orders.withLock { ($0.delay, $0.dropOrder, $0.drops) }
            if delay > 0 { usleep(delay * 1_000) }
            if drops, order != obeyed {
                obeyed = order
                messages.drop(number)
            }
            let passed = drops ? messages.pass(buffer[..<count]) : buffer[..<count]
            if messages.dropped > 0 {
                let number = messages.dropped
                messages.dropped = 0
                orders.withLock { $0.dropped += number }
            }
            if drops { orders.withLock { $0.passed += passed.count } }
            guard write(passed, to) else { return }
        }
    }

    private func write(_ bytes: ArraySlice<UInt8>, _ descriptor: Int32) -> Bool {
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let count = bytes[start...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            start += count
        }
        return true
    }
}
