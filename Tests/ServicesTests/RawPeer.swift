// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Landmarks
import SwiftProtobuf
import TestSupport
import WaymarkProtocol
import ZeroMQ

/// A peer that sends arbitrary frames and returns the received ones.
actor RawPeer {
    private let loop = EventLoop.forTest("raw-peer")
    private var socket: Socket?
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    private var ended = 0
    private var inbox: [[[UInt8]]] = []
    private var waiter: CheckedContinuation<[[UInt8]], Never>?
    private var timer: LoopTimer?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func open(
        _ endpoint: String, context: Context, as kind: Socket.Kind = .dealer, security: SocketSecurity? = nil
    ) throws {
        var options = SocketOptions.client
        options.security = security
        let socket = try Socket(kind, context: context, options: options)
        monitor = try SocketMonitor(socket, on: loop, for: self) { peer, event, _ in
            if case .disconnected = event { peer.ended += 1 }
        }
        try socket.connect(endpoint)
        watch = loop.watch(socket, for: self, onReadable: { $0.drain() })
        self.socket = consume socket
    }

    /// - Parameter tries: how often it is tried while nobody takes it, ten milliseconds apart.
    func send(_ frames: [[UInt8]], tries: Int = 6_000) async throws {
        for _ in 0..<tries {
            var message = Message()
            for frame in frames { message.append(frame) }
            // A client's socket blocks until it is connected.
            if try socket?.send(&message) == .sent { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Silence()
    }

    struct Silence: Error {}

    /// Returns the next message.
    func receive(within time: Duration = .seconds(60)) async throws -> [[UInt8]] {
        if !inbox.isEmpty { return inbox.removeFirst() }
        let frames = await withCheckedContinuation { continuation in
            waiter = continuation
            timer = loop.schedule(after: time, for: self) { $0.giveUp() }
        }
        timer?.cancel()
        guard !frames.isEmpty else { throw Silence() }
        return frames
    }

    /// Waits until the other end has closed this connection.
    func disconnected() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while ended == 0 {
            guard ContinuousClock.now < deadline else { throw Silence() }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Messages that were received and not taken.
    var waiting: Int { inbox.count }

    /// Messages that were received and not taken before.
    func takeAll() -> [[[UInt8]]] {
        defer { inbox.removeAll() }
        return inbox
    }

    private func giveUp() {
        waiter?.resume(returning: [])
        waiter = nil
    }

    private func drain() {
        var message = Message()
        while (try? socket?.receive(into: &message)) == true {
            let frames = (0..<message.count).map { message.bytes(at: $0) }
            if let waiter {
                self.waiter = nil
                waiter.resume(returning: frames)
            } else {
                inbox.append(frames)
            }
        }
    }

    /// Also runs if a test throws: the actor's sockets are closed on their loop.
    isolated deinit {
        watch?.cancel()
        monitor?.cancel()
    }

    func close() async {
        watch?.cancel()
        monitor?.cancel()
        (watch, monitor) = (nil, nil)
        socket = nil
        await loop.stop()
    }
}

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
    static func send(_ bytes: [UInt8], to endpoint: String) {
        guard let port = endpoint.split(separator: ":").last.flatMap({ UInt16($0) }) else { return }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        Glibc.close(descriptor)
    }
}
