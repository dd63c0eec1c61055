// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkProtocol

/// A DEALER made of plain sockets: it sends and receives exactly the frames that a test chooses.
final class RawAsker {
    private let descriptor: Int32
    private let endpoint: String
    private var isCutOff = false

    init(_ endpoint: String) throws {
        self.endpoint = endpoint
        descriptor = try Self.connect(endpoint)
        var greeting: [UInt8] = [0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0] + Array("NULL".utf8)
        greeting += [UInt8](repeating: 0, count: 64 - greeting.count)
        let property = [11] + Array("Socket-Type".utf8) + [0, 0, 0, 6] + Array("DEALER".utf8)
        let ready = [5] + Array("READY".utf8) + property
        try write(greeting + [4, UInt8(ready.count)] + ready)
        _ = try read(64)
        while try frame().isCommand == false {}
    }

    deinit { close(descriptor) }

    func send(_ frames: [[UInt8]]) throws {
        var bytes: [UInt8] = []
        for (index, frame) in frames.enumerated() {
            let more: UInt8 = index + 1 < frames.count ? 1 : 0
            bytes.append(more | 2)
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: frame.count >> (56 - 8 * $0)) }
            bytes += frame
        }
        try write(bytes)
    }

    /// The code of the next answer, which must be a refusal.
    func refusal() throws -> UInt32 { try WireReply(serializedBytes: answer()).failure.code }

    /// Whether the service closes the connection before it answers.
    func isEnded() -> Bool {
        (try? answer()) == nil && isCutOff
    }

    /// Sends the header of a frame of this length and only these bytes of its body.
    func announce(_ length: UInt64, _ bytes: [UInt8]) throws {
        try write([2] + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) } + bytes)
    }

    /// Sends a request and returns the body of its answer.
    func ask(_ request: WireRequest, sequence: UInt64) throws -> [UInt8] {
        let header = WireRequestHeader.with {
            $0.client = UUIDv7(high: 0x0193_3c6e_7f3a_7c21, low: 0x9b0e_2f6d_8a41_c7e5).wire
            $0.sequence = sequence
            $0.user = "raw"
            $0.timeoutMs = 5_000
        }
        let connection = try RawAsker(endpoint)
        try connection.send([Signature(.request).bytes, header.serializedBytes(), request.serializedBytes()])
        return try connection.answer()
    }

    /// The body of the next answer.
    private func answer() throws -> [UInt8] {
        var frames: [[UInt8]] = []
        while frames.count < 3 {
            let next = try frame()
            if !next.isCommand { frames.append(next.bytes) }
        }
        return frames[2]
    }

    /// Sends bytes to a port and closes the connection.
    static func throwAt(_ endpoint: String, _ bytes: [UInt8]) throws {
        let descriptor = try connect(endpoint)
        _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        // They are read before the end comes.
        usleep(20_000)
        close(descriptor)
    }

    private static func connect(_ endpoint: String) throws -> Int32 {
        guard let port = endpoint.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw FaultError("no port in \(endpoint)")
        }
        // A storage that was just started may need some time before it listens.
        var found: Int32?
        try blockUntil("somebody is at \(endpoint)") {
            found = Ports.connect(port)
            return found != nil
        }
        guard let descriptor = found else { throw FaultError("nobody is at \(endpoint)") }
        var time = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        return descriptor
    }

    private func write(_ bytes: [UInt8]) throws {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // The service cuts off a sender that sends too much, which is expected.
            guard count > 0 else { return }
            start += count
        }
    }

    private func read(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: max(1, count))
        while bytes.count < count {
            let got = Glibc.read(descriptor, &buffer, count - bytes.count)
            isCutOff = got == 0 || got < 0 && errno == ECONNRESET
            guard got > 0 else { throw FaultError("no answer") }
            bytes += buffer[..<got]
        }
        return bytes
    }

    private func frame() throws -> (isCommand: Bool, bytes: [UInt8]) {
        let flags = try read(1)[0]
        let length = try read(flags & 2 == 0 ? 1 : 8).reduce(0) { $0 << 8 | Int($1) }
        return (flags & 4 != 0, try read(length))
    }
}
