// SPDX-License-Identifier: Apache-2.0

/// Functions on the text of an endpoint: they classify it, and find out how to reach an announced endpoint. No I/O.
///
/// The host `*` in an announced endpoint means "the host at which you reached me". A service does not know by which of
/// its names and addresses its clients reach it, but each client does.
public enum Endpoint {
    /// The maximum length of an endpoint's text, in bytes. No usable endpoint is longer, because a host name has at
    /// most 253 bytes and the path of a socket at most 107.
    public static let longest = 320

    /// Returns the endpoint as a service announces it: if the socket listens on all addresses, the host becomes `*`.
    public static func announced(_ bound: String) -> String {
        guard let place = TCPPlace(bound), place.isEverywhere else { return bound }
        return place.at("*")
    }

    /// Translates an endpoint that a service announced into one that the client can reach.
    ///
    /// - A host that stands for all addresses (`*`, `0.0.0.0`, `[::]`) becomes the host in `used`, and the announced
    ///   port stays. If `used` is an ipc or inproc endpoint, the host becomes this machine's loopback address.
    /// - A loopback host (127.0.0.0/8, `[::1]`, `localhost`) means the service's own machine. It stays for clients that
    ///   reached the service over loopback, ipc or inproc, and becomes the host in `used` for all other clients.
    /// - Every other announced endpoint is returned unchanged.
    ///
    /// - Parameters:
    ///   - announced: a text from a peer, so it may be anything.
    ///   - used: the endpoint at which the client reached the service.
    /// - Returns: an endpoint, which may still be malformed. Empty if `announced` is longer than ``longest``.
    public static func found(_ announced: String, by used: String) -> String {
        guard announced.utf8.count <= longest else { return "" }
        guard let place = TCPPlace(announced), place.isEverywhere || place.isLoopback else { return announced }
        guard let reached = TCPPlace(used), !reached.isEverywhere, !reached.isLoopback || place.isEverywhere else {
            return place.isEverywhere ? place.at(place.host == "[::]" ? "[::1]" : "127.0.0.1") : announced
        }
        return place.at(reached.host)
    }

    /// Returns the endpoint at which this machine reaches a listening socket. Nil if the port is chosen anew at each
    /// start, because then no other process knows it.
    public static func onThisMachine(_ listen: String) -> String? {
        if let port = TCPPlace(listen)?.port, port == "*" || port == "0" { return nil }
        return found(listen, by: "")
    }

    /// Returns the endpoint with a port that is higher by `offset`. Nil without a fixed port, or if it would be too
    /// high.
    public static func beside(_ endpoint: String, _ offset: UInt16) -> String? {
        guard let place = TCPPlace(endpoint), let port = UInt16(place.port), port > 0, port <= .max - offset else {
            return nil
        }
        return "tcp://\(place.host):\(port + offset)"
    }

    /// Returns the endpoint that stands for any free port of the same host. Nil if `endpoint` does not use TCP.
    public static func anyPort(_ endpoint: String) -> String? { TCPPlace(endpoint).map { "tcp://\($0.host):*" } }
}

/// The host and the port of a TCP endpoint.
struct TCPPlace {
    /// A host name, an IPv4 address, an IPv6 address in brackets, or a word that stands for all addresses.
    let host: Substring
    /// The text after the last colon, which need not be a number.
    let port: Substring

    /// Splits a TCP endpoint. Nil for an endpoint of another transport.
    init?(_ endpoint: String) {
        guard endpoint.hasPrefix("tcp://") else { return nil }
        let rest = endpoint.dropFirst("tcp://".count)
        guard let colon = rest.lastIndex(of: ":") else { return nil }
        (host, port) = (rest[..<colon], rest[rest.index(after: colon)...])
    }

    /// Returns the endpoint with the same port at another host.
    func at(_ host: Substring) -> String { "tcp://\(host):\(port)" }

    /// Whether the host stands for all addresses of a machine.
    var isEverywhere: Bool { ["*", "0.0.0.0", "[::]"].contains(host) }

    /// Whether the host is the machine itself, given as a loopback address or as `localhost`.
    var isLoopback: Bool { isLoopbackAddress || host.lowercased() == "localhost" }

    /// Whether the host is a numeric loopback address. Host names do not count: they could resolve to any address.
    var isLoopbackAddress: Bool {
        if host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
