// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A client that asks and then reads nothing.
public final class SilentReader: Sendable {
    private let descriptor: Int32

    public init(port: UInt16, _ path: String) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // Little fits into the kernel's buffer.
        var size: Int32 = 4_096
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let question = "GET \(path) HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\n\r\n"
        guard isConnected, send(descriptor, question, question.utf8.count, Int32(MSG_NOSIGNAL)) == question.utf8.count
        else {
            Foundation.close(descriptor)
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    public func close() { _ = Foundation.close(descriptor) }
}
