// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestTurns
import Testing
import ZeroMQ

@Suite(.inShortTurn)
struct MonitorTests {
    @Test("Both sides see a connection come and go")
    func connection() async throws {
        let context = try Context()
        try await withLoop { loop in
            let service = Peer(loop)
            try await service.open(.router, context, .service, monitored: true)
            let endpoint = try await service.bind(Transport.tcp.endpoint())
            await service.event(.listening)
            let client = Peer(loop)
            try await client.open(.dealer, context, .client, monitored: true)
            try await client.connect(endpoint)
            await client.event(.connected)
            await client.event(.handshakeSucceeded)
            _ = await service.event { if case .accepted(let descriptor) = $0 { descriptor > 0 } else { false } }
            await service.event(.handshakeSucceeded)
            try await client.disconnect(endpoint)
            await service.disconnected()
            await client.closeSocket()
            await client.event(.stopped)
        }
    }

    @Test("A monitor that ends right after its socket holds up no other socket of the context")
    func order() async throws {
        let context = try Context()
        try await withLoop { loop in
            let service = Peer(loop)
            try await service.open(.router, context, .service, handler: Peer.echo)
            let endpoint = try await service.bind(Transport.tcp.endpoint())
            let other = Peer(loop)
            try await other.open(.dealer, context)
            try await other.connect(endpoint)
            for number in 0..<100 {
                let monitored = Peer(loop)
                try await monitored.open(.router, context, .service, monitored: true)
                let place = try await monitored.bind(Transport.tcp.endpoint())
                var clients: [Peer] = []
                for _ in 0..<4 {
                    let client = Peer(loop)
                    try await client.open(.dealer, context, .client, monitored: true)
                    try await client.connect(place)
                    clients.append(client)
                }
                for _ in clients { await monitored.event(.handshakeSucceeded) }
                // Events of connections that end come while the monitors do.
                for client in clients.prefix(2) { await client.closeBoth() }
                await monitored.closeBoth()
                for client in clients.suffix(2) { await client.closeBoth() }
                try await other.send([[UInt8(truncatingIfNeeded: number)]])
                #expect(try await other.next() == [[UInt8(truncatingIfNeeded: number)]])
            }
        }
        context.terminate()
    }

    @Test("A client says when it will try again")
    func retry() async throws {
        let context = try Context()
        try await withLoop { loop in
            let client = Peer(loop)
            try await client.open(.dealer, context, .client, monitored: true)
            try await client.connect("ipc://\(FileManager.default.temporaryDirectory.path)/nobody-\(UUID()).sock")
            let event = await client.event { if case .connectRetried = $0 { true } else { false } }
            guard case .connectRetried(let interval) = event else {
                Issue.record("\(event)")
                return
            }
            // libzmq adds up to as much again by chance, so that clients do not come back all at once.
            #expect(interval >= .milliseconds(100) && interval < .milliseconds(200), "\(interval)")
        }
    }

    @Test("Garbage on the port fails a handshake, and the service lives on")
    func garbage() async throws {
        let context = try Context()
        try await withLoop { loop in
            let service = Peer(loop)
            try await service.open(.router, context, .service, monitored: true, handler: Peer.echo)
            let endpoint = try await service.bind(Transport.tcp.endpoint())
            let stranger = try TCPConnection(to: endpoint)
            stranger.write(
                [UInt8]("GET / HTTP/1.1\r\nHost: \(endpoint)\r\n\r\n".utf8) + [UInt8](repeating: 0xA5, count: 500))
            stranger.finish()
            let event = await service.event { event in
                switch event {
                case .handshakeFailed, .disconnected: true
                default: false
                }
            }
            if case .disconnected = event { Issue.record("the handshake has not failed") }
            let client = Peer(loop)
            try await client.open(.dealer, context)
            try await client.connect(endpoint)
            try await client.send([[1]])
            #expect(try await client.next() == [[1]])
        }
    }

    @Test("A monitor that ends before its socket leaves it working")
    func cancelled() async throws {
        let context = try Context()
        try await withLoop { loop in
            let service = Peer(loop)
            try await service.open(.router, context, .service, monitored: true, handler: Peer.echo)
            let endpoint = try await service.bind(Transport.tcp.endpoint())
            await service.dropMonitor()
            for index in 0..<20 as Range<UInt8> {
                let client = Peer(loop)
                try await client.open(.dealer, context)
                try await client.connect(endpoint)
                try await client.send([[index]])
                #expect(try await client.next() == [[index]])
            }
        }
    }
}

/// A peer that does not speak ZMTP.
struct TCPConnection: ~Copyable {
    private let descriptor: Int32

    init(to endpoint: String) throws {
        let port = try #require(UInt16(endpoint.split(separator: ":").last ?? ""))
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        #expect(result == 0)
    }

    deinit { close(descriptor) }

    /// MSG_NOSIGNAL: the other side may have hung up by now.
    func write(_ bytes: [UInt8]) { _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    func finish() { _ = Foundation.shutdown(descriptor, Int32(SHUT_WR)) }
}
