// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A request whose parts come when the test wants it.
public struct SlowRequest: Sendable {
    private let descriptor: Int32

    public init(port: UInt16, _ beginning: String) throws {
        descriptor = try Loopback.connect(port, sending: Array(beginning.utf8)) { descriptor in
            var limit = timeval(tv_sec: 100, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Sends more.
    ///
    /// - Returns: the bytes that come next, at most 4,096; empty if the other end has hung up.
    public func heard(after more: String = "") async -> String {
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                let bytes = Array(more.utf8)
                var answer = [UInt8](repeating: 0, count: 4_096)
                let isSent = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
                let count = isSent ? recv(descriptor, &answer, answer.count, 0) : 0
                done.resume(returning: String(decoding: answer.prefix(max(0, count)), as: UTF8.self))
            }
        }
    }

    /// Closes without reading an answer.
    public func cut() { close(descriptor) }

    /// Sends the rest, and closes.
    ///
    /// - Returns: the beginning of the answer.
    public func end(_ rest: String) async -> String {
        let answer = await heard(after: rest)
        close(descriptor)
        return answer
    }
}
