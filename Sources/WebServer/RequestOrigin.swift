// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// From where a request came, and whether anybody could read it on its way.
public struct RequestOrigin: Sendable, Hashable {
    /// Why a secret must not be taken from it.
    public enum Exposure: Sendable, Hashable {
        /// It came from another machine without TLS.
        case plain
        /// A proxy on this machine has forwarded it, and nothing says whether TLS was before it.
        case unnamedProxy
        /// A proxy that is named says that it came without TLS, or does not say.
        case plainAtProxy
    }

    /// The client's IP address, as far as it can be told; empty: not at all.
    public var address: String
    /// Whether the client speaks https.
    public var isHTTPS = false
    /// Nil: a secret may be taken.
    public var exposure: Exposure?

    /// Before anything is known.
    public static let unknown = RequestOrigin(address: "", exposure: .plain)

    private init(address: String, exposure: Exposure?) {
        (self.address, self.exposure) = (address, exposure)
    }

    /// - Parameters:
    ///   - peer: the address of the connection's other end.
    ///   - proxies: those whose words count.
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
        // Each proxy adds what it sees at the end. What is before the words of the last unnamed one may be invented.
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
