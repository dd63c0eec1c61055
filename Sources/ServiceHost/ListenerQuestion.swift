// SPDX-License-Identifier: Apache-2.0

import Glibc
import WaymarkTransport
import WebServer

/// Asks the HTTP listener of a service on this machine whether the service is ready. The listener needs no key, and
/// answers before the service has a socket for requests.
enum ListenerQuestion {
    private static let longest = 65_536

    /// Asks the listener. Blocks the calling thread.
    ///
    /// - Returns: the service's problems, one a line; empty if it is ready; nil if there is no usable answer in time.
    static func problems(at address: ListenAddress, within time: Duration) -> [String]? {
        let deadline = ContinuousClock.now + time
        guard let reachable = Endpoint.onThisMachine("tcp://\(address)"),
            let to = ListenAddress(String(reachable.dropFirst("tcp://".count))),
            let descriptor = connected(to, time)
        else { return nil }
        defer { close(descriptor) }
        let question = Array("GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, question, question.count, CInt(MSG_NOSIGNAL)) == question.count else {
            return nil
        }
        var (answer, count) = ([UInt8](repeating: 0, count: longest), 0)
        while count < longest {
            guard ContinuousClock.now < deadline else { return nil }
            let read = answer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress! + count, longest - count, 0) }
            if read == 0 { break }
            guard read > 0 || errno == EINTR else { return nil }
            count += max(read, 0)
        }
        return problems(in: String(decoding: answer.prefix(count), as: UTF8.self))
    }

    /// - Parameter answer: the whole HTTP answer, with its header.
    static func problems(in answer: String) -> [String]? {
        let words = answer.prefix { !$0.isNewline }.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let end = answer.firstRange(of: "\r\n\r\n") else {
            return nil
        }
        switch words[1] {
        case "200": return []
        case "503": return answer[end.upperBound...].split(whereSeparator: \.isNewline).map(String.init)
        default: return nil
        }
    }

    private static func connected(_ address: ListenAddress, _ time: Duration) -> CInt? {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.host, "\(address.port)", &hints, &found) == 0, let found else { return nil }
        defer { freeaddrinfo(found) }
        let descriptor = socket(
            found.pointee.ai_family, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let (seconds, attoseconds) = time.components
        // The limit is at least a microsecond, because zero would mean no limit.
        var limit = timeval(tv_sec: Int(seconds), tv_usec: max(1, Int(attoseconds / 1_000_000_000_000)))
        let size = socklen_t(MemoryLayout<timeval>.size)
        // The limit for sending also limits the time to connect.
        guard setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size) == 0,
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size) == 0,
            connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
