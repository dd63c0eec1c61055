// SPDX-License-Identifier: Apache-2.0

/// A host and a port to listen on.
public struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// A host name or an IP address. An IPv6 address has no brackets.
    public let host: String
    /// The port; 0 for any free port.
    public let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// - Parameter text: `host:port`, or `[host]:port` for an IPv6 address. The result is nil for any other text.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.utf8.contains(UInt8(ascii: ":")) {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "/" || $0 == "[" || $0 == "]" }) else {
            return nil
        }
        self.init(host: String(host), port: port)
    }

    public var description: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
