// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A proxy of HTTP on 127.0.0.1 that opens tunnels (`CONNECT`) to other ports of this machine, or refuses them all.
public final class ConnectProxy: Sendable {
    public let port: UInt16
    /// The heads of the requests that came, without their line ends.
    public var heads: [[String]] { requests.withLock { $0 } }
    private let requests = Mutex<[[String]]>([])
    private let listener: Int32

    /// - Parameter refusal: the status line's words for every request, such as `403 Forbidden`; nil opens tunnels.
    public init(refusal: String? = nil) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        guard isListening else {
            close(listener)
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else {
                    // Nobody else knows the descriptor any more.
                    close(listener)
                    return
                }
                Thread.detachNewThread { self.serve(client, refusal) }
            }
        }
    }

    /// Wakes the thread that accepts, which then closes the listener.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve(_ client: Int32, _ refusal: String?) {
        defer { close(client) }
        var head: [UInt8] = []
        while !head.ends(with: Array("\r\n\r\n".utf8)) {
            var byte: UInt8 = 0
            guard head.count < 8_192, recv(client, &byte, 1, 0) == 1 else { return }
            head.append(byte)
        }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
        requests.withLock { $0.append(lines) }
        guard refusal == nil, let port = lines.first?.firstMatch(of: #/^CONNECT 127\.0\.0\.1:([0-9]+) /#),
            let target = UInt16(port.output.1)
        else {
            Self.write(client, "HTTP/1.1 \(refusal ?? "400 Bad Request")\r\nContent-Length: 0\r\n\r\n")
            return
        }
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(server) }
        var address = Self.address(target)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return }
        Self.write(client, "HTTP/1.1 200 Connection established\r\n\r\n")
        let isBack = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            Self.copy(from: server, to: client)
            isBack.signal()
        }
        Self.copy(from: client, to: server)
        isBack.wait()
    }

    private static func copy(from source: Int32, to target: Int32) {
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &part, part.count, 0)
            guard count > 0, send(target, part, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        shutdown(target, Int32(SHUT_WR))
    }

    private static func write(_ descriptor: Int32, _ text: String) {
        let bytes = Array(text.utf8)
        send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}

extension [UInt8] {
    fileprivate func ends(with suffix: [UInt8]) -> Bool { self.suffix(suffix.count).elementsEqual(suffix) }
}
