// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Loopback ports below the kernel's range for outgoing connections, and below those of FaultKit.
enum Port {
    private static let given = Mutex<Set<UInt16>>([])

    static func free() throws -> UInt16 {
        for _ in 0..<2_000 {
            let port = UInt16.random(in: 10_000..<12_000)
            if given.withLock({ $0.insert(port).inserted }), isFree(port) { return port }
        }
        throw TestServerError("no port is free")
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
