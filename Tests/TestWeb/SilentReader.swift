// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A client that asks and then reads nothing.
public final class SilentReader: Sendable {
    private let descriptor: Int32

    public init(port: UInt16, _ path: String) throws {
        let question = "GET \(path) HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\n\r\n"
        descriptor = try Loopback.connect(port, sending: Array(question.utf8)) { descriptor in
            // Little fits into the kernel's buffer.
            var size: Int32 = 4_096
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    public func close() { _ = Foundation.close(descriptor) }
}
