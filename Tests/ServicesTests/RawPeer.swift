// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Landmarks
import SwiftProtobuf
import TestSupport
import Testing
import WaymarkProtocol

extension RawPeer {
    /// Sends a valid request and waits for its answer.
    func ask(_ request: WireRequest, _ header: WireRequestHeader) async throws -> (WireReplyHeader, WireReply) {
        try await send([Signature(.request).bytes, header.serializedBytes(), request.serializedBytes()])
        return try Self.read(try await receive())
    }

    static func read(_ frames: [[UInt8]]) throws -> (WireReplyHeader, WireReply) {
        guard frames.count == 3, frames[0] == Signature(.answer).bytes else { throw Silence() }
        return (try WireReplyHeader(serializedBytes: frames[1]), try WireReply(serializedBytes: frames[2]))
    }

    static func header(_ sequence: UInt64, client: UUIDv7 = UUIDv7(high: 1, low: 2)) -> WireRequestHeader {
        .with {
            $0.client = client.wire
            $0.sequence = sequence
            $0.user = "raw"
            $0.timeoutMs = 60_000
        }
    }
}

/// Sends bytes that are not ZeroMQ to a TCP port.
enum RawTCP {
    static func send(_ bytes: [UInt8], to endpoint: String) throws {
        let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let failure = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        #expect(failure == 0)
        _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        Glibc.close(descriptor)
    }
}
