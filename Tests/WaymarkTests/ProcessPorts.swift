// SPDX-License-Identifier: Apache-2.0

import Glibc
import ZeroMQ

/// Ports for services that must restart at the same endpoint.
enum ProcessPorts {
    /// The ports already handed out. Who has got one may not listen yet, or be down at the moment.
    private static let given = Locked<Set<UInt16>>([])

    /// A TCP endpoint on loopback that is free at the moment, and that no other test of this process gets.
    ///
    /// It is below the range that the kernel uses for outgoing connections. Inside that range, a client that keeps
    /// connecting to a service which is down may be connected to itself.
    static func endpoint() throws -> String {
        for _ in 0..<10_000 {
            // `up` publishes two ports above its own, and a test starts another one there.
            let port = 8 * UInt16.random(in: 2_500..<4_000)
            guard given.withLock({ $0.insert(port).inserted }), [port, port + 2, port + 4].allSatisfy(isFree) else {
                continue
            }
            return "tcp://127.0.0.1:\(port)"
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
