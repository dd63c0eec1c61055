// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Loopback ports for services that must restart at the same endpoint.
public enum Ports {
    /// The ports already handed out. An owner of one may be dead at the moment and restart later.
    private static let given = Mutex<Set<UInt16>>([])

    /// A free port below the range that the kernel uses for outgoing connections. Inside that range, a client that
    /// keeps connecting to a service which is down may be connected to itself. Each process of tests searches in
    /// another 4,000, so that they do not take each other's ports.
    ///
    /// Only every eighth port is handed out, because `up` publishes two ports above its own, and a test starts another
    /// `up` there.
    public static func free() throws -> UInt16 {
        let first = UInt16(12_000 + Int(getpid()) % 5 * 4_000)
        for _ in 0..<20_000 {
            let port = first + 8 * .random(in: 0..<500)
            guard given.withLock({ $0.insert(port).inserted }) else { continue }
            if [port, port + 2, port + 4].allSatisfy(isFree) { return port }
        }
        throw PortError(description: "no port is free")
    }

    private static func isFree(_ port: UInt16) -> Bool {
        guard let descriptor = try? listen(port) else { return false }
        close(descriptor)
        return true
    }

    /// The endpoint of a free port.
    public static func endpoint() throws -> String { "tcp://127.0.0.1:\(try free())" }

    public static func listen(_ port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        let isBound = withAddress(port) { bind(descriptor, $0, $1) == 0 }
        guard isBound, Glibc.listen(descriptor, 512) == 0 else {
            close(descriptor)
            throw PortError(description: "port \(port) cannot be had: errno \(errno)")
        }
        return descriptor
    }

    /// - Parameter receiveBuffer: the size in bytes of the kernel's receive buffer; nil: the kernel's default.
    public static func connect(_ port: UInt16, receiveBuffer: Int32? = nil) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if var bytes = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        guard withAddress(port, { Glibc.connect(descriptor, $0, $1) == 0 }) else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func withAddress<Result>(
        _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

public struct PortError: Error, CustomStringConvertible {
    public let description: String
}
