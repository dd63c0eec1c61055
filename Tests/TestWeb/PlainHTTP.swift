// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A request to a port of this machine, over a plain socket.
public enum PlainHTTP {
    public struct Answer: Sendable {
        public var status: Int
        /// The body.
        public var bytes: [UInt8]
        /// Headers by names in small letters. A repeated header has a line for each value.
        public var headers: [String: String]

        /// The body as text.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// - Throws: when nobody listens, or what comes is no whole answer.
    public static func request(
        _ method: String = "GET", port: UInt16, _ path: String, headers: [String: String] = [:], body: String = ""
    ) async throws -> Answer {
        var headers = headers
        if headers["host"] == nil { headers["host"] = "127.0.0.1:\(port)" }
        if !body.isEmpty { headers["content-length"] = "\(body.utf8.count)" }
        let lines = ["\(method) \(path) HTTP/1.1", "connection: close"] + headers.map { "\($0): \($1)" }
        let question = Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
        return try await withCheckedThrowingContinuation { done in
            // On a thread of its own: the pool has few threads, and the other end needs them too.
            Thread.detachNewThread {
                let isHead = method == "HEAD"
                done.resume(with: Result { try read(exchange(question, port, isHead: isHead), isHead: isHead) })
            }
        }
    }

    /// Sends a text as it is, and returns what comes: one whole answer, or all until the other end hangs up.
    public static func raw(_ text: String, port: UInt16) async throws -> String {
        try await withCheckedThrowingContinuation { done in
            Thread.detachNewThread {
                done.resume(
                    with: Result {
                        String(decoding: try exchange(Array(text.utf8), port, isHead: false), as: UTF8.self)
                    })
            }
        }
    }

    private static func exchange(_ question: [UInt8], _ port: UInt16, isHead: Bool) throws -> [UInt8] {
        let descriptor = try Loopback.connect(port, sending: question) { descriptor in
            var limit = timeval(tv_sec: 100, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        defer { close(descriptor) }
        var answer: [UInt8] = []
        var end: Int?
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &part, part.count, 0)
            // A machine that was stopped for a while interrupts a socket with a time limit.
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            if count == 0 { return answer }
            answer += part[..<count]
            if end == nil, !isHead { end = announcedEnd(answer) }
            // Some servers keep the connection although it was asked to be closed.
            if let end, answer.count >= end { return answer }
        }
    }

    /// The size of the whole answer, if its head has come and says so.
    private static func announcedEnd(_ bytes: [UInt8]) -> Int? {
        let text = String(decoding: bytes.prefix(16_384), as: UTF8.self)
        guard let head = text.range(of: "\r\n\r\n"),
            let size = text[..<head.lowerBound].firstMatch(of: #/(?i)\r\ncontent-length: *([0-9]+)/#)
        else { return nil }
        return Int(size.output.1).map { text[..<head.upperBound].utf8.count + $0 }
    }

    private static func read(_ bytes: [UInt8], isHead: Bool) throws -> Answer {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { throw POSIXError(.EBADMSG) }
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw POSIXError(.EBADMSG)
        }
        let fields = lines.dropFirst().compactMap { line -> (String, String)? in
            let parts = line.split(separator: ":", maxSplits: 1)
            return parts.count == 2 ? (parts[0].lowercased(), String(parts[1].drop { $0 == " " })) : nil
        }
        let answer = Answer(
            status: status, bytes: Array(bytes.dropFirst(text[..<end.upperBound].utf8.count)),
            headers: Dictionary(fields) { $0 + "\n" + $1 })
        let announced = answer.headers["content-length"].flatMap { Int($0) }
        guard isHead || (announced ?? 0) == answer.bytes.count else { throw POSIXError(.EBADMSG) }
        return answer
    }
}
