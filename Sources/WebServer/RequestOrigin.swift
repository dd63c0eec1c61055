// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// The origin of a request: the client's address, and whether anybody could read the request on its way.
public struct RequestOrigin: Sendable, Hashable {
    /// The reason why a secret in the request must not be accepted.
    public enum Exposure: Sendable, Hashable {
        /// The request came from another machine without TLS.
        case plain
        /// A proxy on this machine that is not named as trusted has forwarded the request, and nothing says whether the
        /// client used TLS.
        case unnamedProxy
        /// A trusted proxy says that the request came to it without TLS, or says nothing about it.
        case plainAtProxy
    }

    /// The client's IP address, as far as it can be told; otherwise empty.
    public var address: String
    /// Whether the client speaks https.
    public var isHTTPS = false
    /// The reason to refuse secrets; nil if a secret may be accepted.
    public var exposure: Exposure?

    /// An origin of which nothing is known yet.
    public static let unknown = RequestOrigin(address: "", exposure: .plain)

    private init(address: String, exposure: Exposure?) {
        (self.address, self.exposure) = (address, exposure)
    }

    /// - Parameters:
    ///   - peer: the address of the connection's other end.
    ///   - proxies: the proxies whose headers are believed.
    public init(peer: String?, _ headers: HTTPFields, behind proxies: ProxyRule) async {
        guard let address = peer.flatMap({ IPAddress($0) }) else {
            (self.address, exposure) = ("", .plain)
            return
        }
        guard await proxies.contains(address) else {
            self.address = address.description
            let isForwarded = [HTTPField.Name.forwarded, .forwardedFor, .forwardedProto].contains { headers[$0] != nil }
            exposure = !address.isLoopback ? .plain : isForwarded ? .unnamedProxy : nil
            return
        }
        // Each proxy appends the address that it sees. Trust ends at the first address from the end that is no trusted
        // proxy: anything before it may be invented.
        var client = address
        for part in Self.list(headers, .forwardedFor).reversed() {
            guard let next = IPAddress(part) else { break }
            client = next
            guard await proxies.contains(next) else { break }
        }
        self.address = client.description
        isHTTPS = Self.list(headers, .forwardedProto).last == "https"
        exposure = isHTTPS ? nil : .plainAtProxy
    }

    private static func list(_ headers: HTTPFields, _ name: HTTPField.Name) -> [String] {
        (headers[name] ?? "").split(separator: ",").map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()).lowercased()
        }
    }
}

extension HTTPField.Name {
    // The names are tokens of RFC 9110, so none is nil.
    static let forwarded = HTTPField.Name("Forwarded") ?? .accept
    static let forwardedFor = HTTPField.Name("X-Forwarded-For") ?? .accept
    static let forwardedProto = HTTPField.Name("X-Forwarded-Proto") ?? .accept
}
