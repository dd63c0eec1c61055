// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// The origin of a request: the client's address, and whether anybody could have read the request on its way.
public struct RequestOrigin: Sendable, Hashable {
    /// The reason why a secret in the request must not be accepted.
    public enum Exposure: Sendable, Hashable {
        /// The request came from another machine without TLS.
        case plain
        /// A proxy on this machine forwarded the request. The proxy is not configured as trusted, so nothing shows
        /// whether the client used TLS.
        case unnamedProxy
        /// A trusted proxy says that the client did not use TLS, or does not say whether it did.
        case plainAtProxy
    }

    /// The client's IP address; nil if it is not known.
    public private(set) var client: IPAddress?
    /// Whether the client uses HTTPS.
    public var isHTTPS = false
    /// The reason to refuse a secret in the request; nil if a secret may be accepted.
    public var exposure: Exposure?

    /// An origin about which nothing is known.
    public static let unknown = RequestOrigin(exposure: .plain)

    private init(exposure: Exposure) { self.exposure = exposure }

    /// The text of the client's IP address; empty if it is not known.
    public var address: String { client?.description ?? "" }

    /// - Parameters:
    ///   - peer: the IP address of the other end of the connection, which may be a proxy.
    ///   - proxies: the proxies whose headers are believed.
    public init(peer: String?, _ headers: HTTPFields, behind proxies: ProxyRule) async {
        guard let address = peer.flatMap({ IPAddress($0) }) else {
            exposure = .plain
            return
        }
        guard await proxies.contains(address) else {
            client = address
            let isForwarded = [HTTPField.Name.forwarded, .forwardedFor, .forwardedProto].contains { headers[$0] != nil }
            exposure = !address.isLoopback ? .plain : isForwarded ? .unnamedProxy : nil
            return
        }
        // Each proxy appends the address that it sees. Read the list from its end, up to the first address that is no
        // trusted proxy: everything before this address may be invented.
        var client = address
        for part in Self.list(headers, .forwardedFor).reversed() {
            guard let next = IPAddress(part) else { break }
            client = next
            guard await proxies.contains(next) else { break }
        }
        self.client = client
        isHTTPS = Self.list(headers, .forwardedProto).last == "https"
        exposure = isHTTPS ? nil : .plainAtProxy
    }

    private static func list(_ headers: HTTPFields, _ name: HTTPField.Name) -> [String] {
        // Bytes are compared, because some characters make one `Character` of themselves and a comma after them. A client
        // could hide behind its proxy with one at the end of its own list.
        (headers[name] ?? "").utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") }
            .map { String(decoding: $0, as: UTF8.self).lowercased() }
    }
}

extension HTTPField.Name {
    // The initialisers never return nil, because the names are tokens of RFC 9110.
    static let forwarded = HTTPField.Name("Forwarded") ?? .accept
    static let forwardedFor = HTTPField.Name("X-Forwarded-For") ?? .accept
    static let forwardedProto = HTTPField.Name("X-Forwarded-Proto") ?? .accept
}
