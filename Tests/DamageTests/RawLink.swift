// SPDX-License-Identifier: Apache-2.0

@testable import FaultKit
import Glibc
import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// A peer made of a plain socket: it says exactly the frames that a test wants, and bytes that are none.
final class RawLink {
    private let descriptor: Int32

    init(_ endpoint: String, as kind: String? = "DEALER") throws {
        guard let port = endpoint.split(separator: ":").last.flatMap({ UInt16($0) }),
            let descriptor = Ports.connect(port)
        else { throw FaultError("nobody is at \(endpoint)") }
        self.descriptor = descriptor
        var time = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        guard let kind else { return }
        var greeting: [UInt8] = [0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0] + Array("NULL".utf8)
        greeting += [UInt8](repeating: 0, count: 64 - greeting.count)
        let property = [11] + Array("Socket-Type".utf8) + [0, 0, 0, UInt8(kind.utf8.count)] + Array(kind.utf8)
        let ready = [5] + Array("READY".utf8) + property
        write(greeting + [4, UInt8(ready.count)] + ready)
        guard read(64) != nil, let first = frame(), first.isCommand else { throw FaultError("no greeting") }
    }

    deinit { close(descriptor) }

    func send(_ frames: [[UInt8]]) {
        var bytes: [UInt8] = []
        for (index, frame) in frames.enumerated() {
            bytes += Self.header(frame.count, isLast: index == frames.count - 1) + frame
        }
        write(bytes)
    }

    static func header(_ count: Int, isLast: Bool) -> [UInt8] {
        [isLast ? 2 : 3] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
    }

    /// Who is cut off in the middle is told by what comes next.
    func write(_ bytes: [UInt8]) {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            start += count
        }
    }

    /// The frames of the next message; nil when the other side has ended the connection, or says nothing for ten
    /// seconds.
    func receive() -> [[UInt8]]? {
        var frames: [[UInt8]] = []
        while let next = frame() {
            if next.isCommand { continue }
            frames.append(next.bytes)
            if !next.hasMore { return frames }
        }
        return nil
    }

    /// Whether the other side ends the connection, and says nothing before.
    var isCutOff: Bool {
        var byte: UInt8 = 0
        let count = Glibc.read(descriptor, &byte, 1)
        return count == 0 || (count < 0 && errno == ECONNRESET)
    }

    /// The answer to a request, and its header and body as bytes.
    func ask(_ header: [UInt8], _ body: [UInt8]) throws -> WireReply {
        send([Signature(.request).bytes, header, body])
        guard let frames = receive(), frames.count == 3 else { throw FaultError("no answer") }
        return try WireReply(serializedBytes: frames[2])
    }

    static func header(_ sequence: UInt64, client: UUIDv7 = UUIDv7(high: 3, low: 3)) throws -> [UInt8] {
        try WireRequestHeader.with {
            $0.client = client.wire
            $0.sequence = sequence
            $0.user = "raw"
            $0.timeoutMs = 10_000
        }.serializedBytes()
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: max(1, min(count, 65_536)))
        while bytes.count < count {
            let got = Glibc.read(descriptor, &buffer, min(buffer.count, count - bytes.count))
            guard got > 0 else { return nil }
            bytes += buffer[..<got]
        }
        return bytes
    }

    private func frame() -> (isCommand: Bool, hasMore: Bool, bytes: [UInt8])? {
        guard let flags = read(1)?[0], let length = read(flags & 2 == 0 ? 1 : 8)?.reduce(0, { $0 << 8 | Int($1) }),
            let bytes = read(length)
        else { return nil }
        return (flags & 4 != 0, flags & 1 != 0, bytes)
    }
}
