// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoadTest

/// A connection over TCP on loopback, and a thread that sends back what it receives.
final class LoopbackTrip {
    private static let size = 64
    private let descriptor: Int32

    init() throws(CalibrationError) {
        guard let listener = PlainSocket.listen(), let client = PlainSocket.connect(port: listener.port) else {
            throw .loopback
        }
        let server = accept(listener.descriptor, nil, nil)
        Foundation.close(listener.descriptor)
        guard server >= 0 else {
            Foundation.close(client)
            throw .loopback
        }
        PlainSocket.sendAtOnce(server)
        descriptor = client
        // It ends when the other end is closed.
        Thread.detachNewThread {
            var bytes = [UInt8](repeating: 0, count: Self.size)
            while Self.receive(server, &bytes), Self.send(server, bytes) {}
            Foundation.close(server)
        }
    }

    /// - Parameter limit: in nanoseconds.
    func times(_ limit: UInt64) throws(CalibrationError) -> Latencies {
        var (times, bytes) = (Latencies(), [UInt8](repeating: 1, count: Self.size))
        let begun = NanoClock.now
        var now = begun
        repeat {
            let before = now
            guard Self.send(descriptor, bytes), Self.receive(descriptor, &bytes) else { throw .loopback }
            now = NanoClock.now
            times.record(now - before)
        } while now - begun < limit
        return times
    }

    func close() { Foundation.close(descriptor) }

    private static func send(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            == bytes.count
    }

    private static func receive(_ descriptor: Int32, _ bytes: inout [UInt8]) -> Bool {
        bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_WAITALL)) }
            == size
    }
}
