// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestTurns
public import Testing

/// A reader of server-sent events, over a plain socket that can be cut at any moment.
public final class EventReader: Sendable {
    public struct Event: Sendable, Hashable {
        public var name: String
        public var id: String?
        public var data: String
    }

    private let descriptor: Int32
    private let state = Mutex<(text: String, hasEnded: Bool)>(("", false))

    /// - Parameter headers: beside `host` and `accept`.
    public init(port: UInt16, _ path: String, headers: [String: String] = [:]) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let lines =
            ["GET \(path) HTTP/1.1", "host: 127.0.0.1:\(port)", "accept: text/event-stream"]
            + headers.map { "\($0): \($1)" }
        let question = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        guard isConnected, send(descriptor, question, question.count, Int32(MSG_NOSIGNAL)) == question.count else {
            close(descriptor)
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        // The thread owns the descriptor: only it closes it.
        Thread.detachNewThread { [descriptor, weak self] in
            var part = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(descriptor, &part, part.count, 0)
                guard count > 0, let self else { break }
                self.state.withLock { $0.text += String(decoding: part[..<count], as: UTF8.self) }
            }
            self?.state.withLock { $0.hasEnded = true }
            close(descriptor)
        }
    }

    /// Cuts the connection, wherever the stream is.
    public func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    public var status: Int? {
        state.withLock { $0.text.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
    }

    public var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// The whole events so far. Texts are ASCII in these tests, so that chunks cannot cut characters.
    public var events: [Event] {
        blocks.compactMap { block in
            var (name, id, data): (String, String?, String?) = ("message", nil, nil)
            for line in block.split(separator: "\n") {
                if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
                if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
                if line.hasPrefix("data: ") { data = String(line.dropFirst(6)) }
            }
            return data.map { Event(name: name, id: id, data: $0) }
        }
    }

    /// The whole blocks so far, also those without data.
    public var blocks: [String] {
        var rest = state.withLock { $0.text }[...]
        guard let end = rest.range(of: "\r\n\r\n") else { return [] }
        rest = rest[end.upperBound...]
        var body = ""
        while let line = rest.range(of: "\r\n"), let size = Int(rest[..<line.lowerBound], radix: 16), size > 0 {
            body += rest[line.upperBound...].prefix(size)
            rest = rest[line.upperBound...].dropFirst(size).dropFirst(1)
        }
        return body.components(separatedBy: "\n\n").dropLast()
    }

    /// Waits until the events satisfy `condition`, and returns them.
    public func wait(
        sourceLocation: SourceLocation = #_sourceLocation, until condition: @Sendable ([Event]) -> Bool
    ) async throws -> [Event] {
        var seen: [Event] = []
        try await TestTurns.until("such events have come, after \(seen)", sourceLocation: sourceLocation) {
            seen = events
            return condition(seen)
        }
        return seen
    }
}
