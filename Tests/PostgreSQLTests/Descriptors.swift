// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestPostgreSQL

/// The file descriptors of this process. Other tests run in it too, so only those to one server are counted.
enum Descriptors {
    static func count(to server: TestServer) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { CInt($0) }.filter { isConnected($0, to: server) }.count
    }

    private static func isConnected(_ descriptor: CInt, to server: TestServer) -> Bool {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { address in
            let isSocket = address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(descriptor, $0, &length) == 0
            }
            guard isSocket else { return false }
            let bytes = UnsafeRawBufferPointer(start: address, count: Int(length))
            switch CInt(address.pointee.ss_family) {
            case AF_UNIX: return String(decoding: bytes.dropFirst(2), as: UTF8.self).hasPrefix(server.directory + "/")
            case AF_INET: return bytes[2] == UInt8(server.port >> 8) && bytes[3] == UInt8(server.port & 0xff)
            default: return false
            }
        }
    }
}

/// A port of which nobody takes the connections.
final class SilentListener {
    let port: UInt16
    private let descriptor: CInt

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound else { throw CocoaError(.fileReadUnknown) }
    }

    deinit { close(descriptor) }
}
