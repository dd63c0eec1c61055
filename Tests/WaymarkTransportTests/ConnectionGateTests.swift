// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestTurns
import Testing
import ZeroMQ

@testable import WaymarkTransport

@Suite(.inShortTurn)
struct ConnectionGateTests {
    /// Two ends of a connection on a port of its own.
    private struct Line {
        let (port, near, far): (UInt16, Int32, Int32)

        init() throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { Glibc.close(listener) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    _ = Glibc.bind(listener, address, length)
                    _ = Glibc.listen(listener, 1)
                    _ = getsockname(listener, address, &length)
                    _ = Glibc.connect(descriptor, address, length)
                }
            }
            (port, near, far) = (UInt16(bigEndian: address.sin_port), Glibc.accept(listener, nil, nil), descriptor)
        }

        var isEnded: Bool {
            var byte: UInt8 = 0
            return recv(far, &byte, 1, Int32(MSG_DONTWAIT)) == 0
        }

        func end() {
            Glibc.close(near)
            Glibc.close(far)
        }
    }

    @Test("a connection beyond the limit is closed, until another one has ended")
    func limit() throws {
        let line = try Line()
        defer { line.end() }
        let gate = ConnectionGate(limit: 2, endpoint: "tcp://127.0.0.1:\(line.port)")
        gate.noticed(.accepted(descriptor: -1))
        gate.noticed(.accepted(descriptor: -1))
        gate.noticed(.disconnected(descriptor: -1))
        gate.noticed(.accepted(descriptor: line.near))
        #expect(gate.open == 2 && gate.turnedAway == 0 && !line.isEnded)
        gate.noticed(.accepted(descriptor: line.near))
        #expect(gate.open == 3 && gate.turnedAway == 1 && line.isEnded)
        gate.noticed(.disconnected(descriptor: -1))
        #expect(gate.open == 2)
    }

    @Test("a descriptor that belongs to another file by now is left alone")
    func anothersDescriptor() throws {
        let (line, other) = (try Line(), try Line())
        defer {
            line.end()
            other.end()
        }
        let gate = ConnectionGate(limit: 0, endpoint: "tcp://127.0.0.1:\(other.port)")
        let file = Glibc.open("/dev/null", O_RDONLY)
        defer { Glibc.close(file) }
        for descriptor in [line.near, file, -1, 100_000] { gate.noticed(.accepted(descriptor: descriptor)) }
        #expect(gate.turnedAway == 0 && !line.isEnded)
        ConnectionGate(limit: 0, endpoint: "ipc:///tmp/none").noticed(.accepted(descriptor: line.near))
        #expect(!line.isEnded)
    }

    @Test("when descriptors have run out, new connections are closed for a while")
    func shortage() throws {
        let line = try Line()
        defer { line.end() }
        let gate = ConnectionGate(limit: 100, endpoint: "tcp://127.0.0.1:\(line.port)")
        for _ in 0..<1_000 { gate.noticed(.acceptFailed(errno: EMFILE)) }
        #expect(gate.shortages == 1)
        gate.noticed(.acceptFailed(errno: ECONNABORTED))
        gate.noticed(.accepted(descriptor: line.near))
        #expect(gate.turnedAway == 1 && line.isEnded)
    }
}
