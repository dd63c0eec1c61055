// SPDX-License-Identifier: Apache-2.0

import TestSupport
import TestTurns
import Testing

@testable import WaymarkTransport

@Suite("Where an announced endpoint is found", .inShortTurn)
struct EndpointTests {
    @Test(
        "from everywhere",
        arguments: [
            // A wildcard is the host that was reached, whichever way that is written.
            ("tcp://*:7422", "tcp://10.0.0.7:7420", "tcp://10.0.0.7:7422"),
            ("tcp://0.0.0.0:7422", "tcp://10.0.0.7:7420", "tcp://10.0.0.7:7422"),
            ("tcp://[::]:7422", "tcp://10.0.0.7:7420", "tcp://10.0.0.7:7422"),
            ("tcp://*:7422", "tcp://maps.example:17420", "tcp://maps.example:7422"),
            ("tcp://*:7422", "tcp://[fd00::7]:7420", "tcp://[fd00::7]:7422"),
            ("tcp://*:7422", "tcp://127.0.0.2:7420", "tcp://127.0.0.2:7422"),
            ("tcp://*:7422", "tcp://localhost:7420", "tcp://localhost:7422"),
            // Loopback of a service that was reached from elsewhere is that service's own machine.
            ("tcp://127.0.0.1:7422", "tcp://10.0.0.7:7420", "tcp://10.0.0.7:7422"),
            ("tcp://127.9.8.7:7422", "tcp://maps.example:7420", "tcp://maps.example:7422"),
            ("tcp://[::1]:7422", "tcp://[fd00::7]:7420", "tcp://[fd00::7]:7422"),
            ("tcp://Localhost:7422", "tcp://10.0.0.7:7420", "tcp://10.0.0.7:7422"),
            // On one machine it stays.
            ("tcp://127.0.0.1:7422", "tcp://127.0.0.2:7420", "tcp://127.0.0.1:7422"),
            ("tcp://127.0.0.1:7422", "tcp://localhost:7420", "tcp://127.0.0.1:7422"),
            ("tcp://[::1]:7422", "ipc:///run/q", "tcp://[::1]:7422"),
            // A file or a process was reached on this machine, and so is the feed.
            ("tcp://*:7422", "ipc:///run/q", "tcp://127.0.0.1:7422"),
            ("tcp://0.0.0.0:7422", "inproc://q", "tcp://127.0.0.1:7422"),
            ("tcp://[::]:7422", "ipc:///run/q", "tcp://[::1]:7422"),
            ("tcp://*:7422", "tcp://0.0.0.0:7420", "tcp://127.0.0.1:7422"),
            ("tcp://*:7422", "", "tcp://127.0.0.1:7422"),
            // Whoever announces a host means it.
            ("tcp://relay-7.example:7430", "tcp://10.0.0.7:7420", "tcp://relay-7.example:7430"),
            ("tcp://192.0.2.1:7422", "ipc:///run/q", "tcp://192.0.2.1:7422"),
            ("ipc:///run/c", "tcp://10.0.0.7:7420", "ipc:///run/c"),
            ("inproc://c", "tcp://10.0.0.7:7420", "inproc://c"),
            ("tcp://127.0.0.1.evil.example:1", "tcp://10.0.0.7:7420", "tcp://127.0.0.1.evil.example:1"),
            ("tcp://127.0.0.256:1", "tcp://10.0.0.7:7420", "tcp://127.0.0.256:1"),
            // Nothing that makes sense stays as it is: connecting refuses it.
            ("", "tcp://10.0.0.7:7420", ""), ("tcp://", "tcp://10.0.0.7:7420", "tcp://"),
            ("tcp://:", "tcp://10.0.0.7:7420", "tcp://:"), ("*:7422", "tcp://10.0.0.7:7420", "*:7422"),
            ("tcp://*", "tcp://10.0.0.7:7420", "tcp://*"), ("tcp://*:", "tcp://10.0.0.7:7420", "tcp://10.0.0.7:"),
        ])
    func found(announced: String, used: String, expected: String) {
        #expect(Endpoint.found(announced, by: used) == expected)
    }

    @Test("too long to be an endpoint is none")
    func bounded() {
        let most = "tcp://*:" + String(repeating: "7", count: Endpoint.longest - 8)
        #expect(Endpoint.found(most, by: "tcp://h:1").hasPrefix("tcp://h:777"))
        #expect(Endpoint.found(most + "7", by: "tcp://h:1") == "")
        #expect(Endpoint.found(String(repeating: "é", count: 100_000), by: "tcp://h:1") == "")
    }

    @Test("any bytes of a peer become some text")
    func hostile() {
        var random = SplitMix64(seed: 35)
        let pieces = [
            "tcp://", "*", "0.0.0.0", "[::]", "[", "]", ":", "127.", "\u{301}", "\0", "é", ";", "7422", "//", " ",
        ]
        var unexpected: [String] = []
        for _ in 0..<1_000 {
            let text = (0..<Int.random(in: 0..<9, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? pieces[Int.random(in: 0..<pieces.count, using: &random)]
                    : String(decoding: [UInt8.random(in: 0...255, using: &random)], as: UTF8.self)
            }.joined()
            for used in ["tcp://h:1", text, ""] {
                let found = Endpoint.found(text, by: used)
                if found != text, !found.hasPrefix("tcp://") { unexpected.append("\(text) by \(used): \(found)") }
            }
            _ = (Endpoint.announced(text), Endpoint.onThisMachine(text), Endpoint.beside(text, 2))
        }
        #expect(unexpected.isEmpty, "\(unexpected.prefix(5))")
    }

    @Test(
        "a service announces the host * where it listens on all addresses",
        arguments: [
            ("tcp://0.0.0.0:7422", "tcp://*:7422"), ("tcp://[::]:7422", "tcp://*:7422"),
            ("tcp://*:7422", "tcp://*:7422"), ("tcp://10.0.0.7:7422", "tcp://10.0.0.7:7422"),
            ("tcp://127.0.0.1:7422", "tcp://127.0.0.1:7422"), ("ipc:///run/0.0.0.0:1", "ipc:///run/0.0.0.0:1"),
        ])
    func announced(bound: String, announced: String) {
        #expect(Endpoint.announced(bound) == announced)
    }

    @Test(
        "where the same machine reaches the server",
        arguments: [
            ("tcp://0.0.0.0:7421", "tcp://127.0.0.1:7421"), ("tcp://*:7421", "tcp://127.0.0.1:7421"),
            ("tcp://[::]:7421", "tcp://[::1]:7421"), ("tcp://10.0.0.7:7421", "tcp://10.0.0.7:7421"),
            ("ipc:///run/a:b", "ipc:///run/a:b"), ("tcp://0.0.0.0:*", nil), ("tcp://127.0.0.1:*", nil),
            ("tcp://127.0.0.1:0", nil),
        ])
    func onThisMachine(listen: String, reachable: String?) {
        #expect(Endpoint.onThisMachine(listen) == reachable)
    }

    @Test(
        "the ports beside another one",
        arguments: [
            ("tcp://0.0.0.0:7420", "tcp://0.0.0.0:7422", "tcp://0.0.0.0:*"),
            ("tcp://[::1]:7420", "tcp://[::1]:7422", "tcp://[::1]:*"),
            ("tcp://127.0.0.1:*", nil, "tcp://127.0.0.1:*"), ("tcp://127.0.0.1:65534", nil, "tcp://127.0.0.1:*"),
            ("tcp://127.0.0.1:0", nil, "tcp://127.0.0.1:*"), ("ipc:///run/q", nil, nil),
        ])
    func beside(endpoint: String, higher: String?, any: String?) {
        #expect(Endpoint.beside(endpoint, 2) == higher)
        #expect(Endpoint.anyPort(endpoint) == any)
    }
}
