// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Ports on loopback for services that are to come back at the same place.
public enum Ports {
    /// One that nobody has at the moment, below the range that the kernel takes from for outgoing connections: from
    /// within it, whoever keeps trying to connect to a service that is away may be connected to itself.
    public static func free() throws -> UInt16 {
        for _ in 0..<1_000 {
            let port = UInt16.random(in: 12_000..<32_000)
            if let descriptor = try? listen(port) {
                close(descriptor)
                return port
            }
        }
        throw FaultError("no port is free")
    }

    static func listen(_ port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        let isBound = withAddress(port) { bind(descriptor, $0, $1) == 0 }
        guard isBound, Glibc.listen(descriptor, 512) == 0 else {
            close(descriptor)
            throw FaultError("port \(port) cannot be had: errno \(errno)")
        }
        return descriptor
    }

    public static func connect(_ port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
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
