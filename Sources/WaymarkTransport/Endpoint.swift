// SPDX-License-Identifier: Apache-2.0

/// Endpoints as texts: their properties, and how to reach an announced endpoint. Pure.
///
/// The host `*` in an announced endpoint is "the host at which you reached me": a service does not know by which of its
/// names and addresses others reach it, but whoever reached it does.
public enum Endpoint {
    /// The longest text that may be an endpoint, in bytes. No usable endpoint is longer: a host's name has at most 253,
    /// the path of a socket 107.
    public static let longest = 320

    /// The endpoint as a service announces it: if a socket listens on all addresses, the host becomes `*`.
    public static func announced(_ bound: String) -> String {
        guard let place = TCPPlace(bound), place.isEverywhere else { return bound }
        return place.at("*")
    }

    /// The endpoint at which a client that reached the service at `used` finds an announced endpoint.
    ///
    /// - A host that stands for all addresses (`*`, `0.0.0.0`, `[::]`) becomes the host that was reached, with the
    ///   announced port. Over ipc and inproc that is this machine's loopback address.
    /// - A loopback host (127.0.0.0/8, `[::1]`, `localhost`) is the service's own machine. It stays for clients that
    ///   reached the service over loopback, ipc or inproc, and becomes the host that was reached for all others.
    /// - Every other endpoint stays.
    ///
    /// - Parameters:
    ///   - announced: a text from a peer, so it may be anything.
    ///   - used: the endpoint at which the service was reached.
    /// - Returns: an endpoint, which may still be malformed; empty if `announced` is too long to be one.
    public static func found(_ announced: String, by used: String) -> String {
        guard announced.utf8.count <= longest else { return "" }
        guard let place = TCPPlace(announced), place.isEverywhere || place.isLoopback else { return announced }
        guard let reached = TCPPlace(used), !reached.isEverywhere, !reached.isLoopback || place.isEverywhere else {
            return place.isEverywhere ? place.at(place.host == "[::]" ? "[::1]" : "127.0.0.1") : announced
        }
        return place.at(reached.host)
    }

    /// The endpoint at which this machine reaches a listening socket; nil for a port that is chosen at each start,
    /// because no other process knows it.
    public static func onThisMachine(_ listen: String) -> String? {
        if let port = TCPPlace(listen)?.port, port == "*" || port == "0" { return nil }
        return found(listen, by: "")
    }

    /// The endpoint with a higher port; nil if it has no fixed port.
    public static func beside(_ endpoint: String, _ offset: UInt16) -> String? {
        guard let place = TCPPlace(endpoint), let port = UInt16(place.port), port > 0, port <= .max - offset else {
            return nil
        }
        return "tcp://\(place.host):\(port + offset)"
    }

    /// The endpoint with any free port of the same host; nil if it is not a TCP endpoint.
    public static func anyPort(_ endpoint: String) -> String? { TCPPlace(endpoint).map { "tcp://\($0.host):*" } }
}

/// The two parts of a TCP endpoint.
struct TCPPlace {
    /// A name, an IPv4 address or, in brackets, an IPv6 address; or a word for all addresses.
    let host: Substring
    /// The text after the last colon, which need not be a number.
    let port: Substring

    /// Nil for an endpoint of another transport.
    init?(_ endpoint: String) {
        guard endpoint.hasPrefix("tcp://") else { return nil }
        let rest = endpoint.dropFirst("tcp://".count)
        guard let colon = rest.lastIndex(of: ":") else { return nil }
        (host, port) = (rest[..<colon], rest[rest.index(after: colon)...])
    }

    /// The same port at another host.
    func at(_ host: Substring) -> String { "tcp://\(host):\(port)" }

    /// Whether the host stands for all addresses of a machine.
    var isEverywhere: Bool { ["*", "0.0.0.0", "[::]"].contains(host) }

    /// Whether the host is the machine itself, by an address or by its usual name.
    var isLoopback: Bool { isLoopbackAddress || host.lowercased() == "localhost" }

    /// Whether the host is a numeric loopback address. (A name could resolve to any address.)
    var isLoopbackAddress: Bool {
        if host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
