// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Finds the family of addresses that an endpoint needs, for ``SocketOptions/ipv6``. With that option libzmq resolves
/// host names to IPv6 addresses, without it to IPv4 addresses; then it uses the first address.
public enum EndpointFamily {
    /// Returns whether the endpoint contains an IPv6 address, as `tcp://[::1]:7420` does.
    public static func isIPv6(_ endpoint: String) -> Bool { endpoint.hasPrefix("tcp://[") }

    /// Returns whether the endpoint contains an IPv6 address, or names a host that has only IPv6 addresses. A host with
    /// addresses of both families does not count, because most services listen on the IPv4 address.
    ///
    /// Calls the system's resolver, which may block the thread for seconds.
    public static func resolvesToIPv6(_ endpoint: String) -> Bool {
        if isIPv6(endpoint) { return true }
        guard endpoint.hasPrefix("tcp://"), let colon = endpoint.lastIndex(of: ":") else { return false }
        let host = String(endpoint[..<colon].dropFirst("tcp://".count))
        var list: UnsafeMutablePointer<addrinfo>?
        // No hints are passed, so that the resolver leaves out families of which this machine has no address.
        guard !host.isEmpty, getaddrinfo(host, nil, nil, &list) == 0, let first = list else { return false }
        defer { freeaddrinfo(first) }
        let families = sequence(first: first) { $0.pointee.ai_next }.map(\.pointee.ai_family)
        return families.contains(AF_INET6) && !families.contains(AF_INET)
    }
}
