// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The address of an HTTP interface, and the key for it.
public struct HTTPOrigin: Hashable, Sendable, CustomStringConvertible {
    /// A host name or an IP address. An IPv6 address has no brackets.
    public let host: String
    public let port: UInt16
    /// The secret that proves who asks; nil for none. It is sent in the clear.
    public var bearer: String?

    public init(host: String, port: UInt16, bearer: String? = nil) {
        (self.host, self.port, self.bearer) = (host, port, bearer)
    }

    /// The address as in the header `Host`.
    public var description: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether nothing that is sent leaves this machine.
    public var isLoopback: Bool {
        var address = in_addr()
        let isIPv4 = inet_pton(AF_INET, host, &address) == 1
        return host == "localhost" || host == "::1" || isIPv4 && UInt32(bigEndian: address.s_addr) >> 24 == 127
    }

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - target: the path with its query, percent-encoded.
    ///   - fields: further headers, each with the end of its line.
    public func request(
        _ target: String, method: String = "GET", fields: String = "", body: String = ""
    ) -> [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(self)\r\n\(fields)"
        if let bearer { head += "Authorization: Bearer \(bearer)\r\n" }
        if !body.isEmpty { head += "Content-Length: \(body.utf8.count)\r\n" }
        return Array("\(head)\r\n\(body)".utf8)
    }
}
