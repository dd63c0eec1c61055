// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Ports for services that must restart at the same endpoint.
enum ProcessPorts {
    /// A TCP endpoint on loopback that is free at the moment.
    ///
    /// It is below the range that the kernel uses for outgoing connections. Inside that range, a client that keeps
    /// connecting to a service which is down may be connected to itself.
    static func endpoint() throws -> String {
        for _ in 0..<1_000 {
            let port = UInt16.random(in: 20_000..<32_000)
            if isFree(port) { return "tcp://127.0.0.1:\(port)" }
        }
        throw Overdue(description: "No port is free.")
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
