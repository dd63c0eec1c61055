// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc
internal import IPAddresses

/// Decides to which machines one fetch may connect.
///
/// The operator chooses the address of a source, but the server chooses the target of a redirect. A redirect must not
/// lead to an address that fewer machines can reach than the source itself. Otherwise a server on the internet could
/// make this process read services of this machine or its network.
///
/// A stranger chose the address of a hook. It must not lead to an address that only some machines can reach, unless the
/// operator has allowed that address.
struct PeerRule {
    struct Peer: Hashable {
        var address: String
        var port: UInt16
    }

    private let reach: @Sendable (String) -> AddressReach?
    /// Whether connections may lead to a proxy, whose address says nothing about the server that the proxy contacts.
    private let mayUseProxy: Bool
    private let allowed: [AddressBlock]
    private var isRedirected = false
    private var least = AddressReach.world
    /// The machines that the source's own address led to, or the proxy.
    private var known: Set<Peer> = []

    init(_ start: WebAddress, _ surroundings: SourceFetcher.Surroundings) {
        (reach, allowed) = (surroundings.reach, [])
        let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        mayUseProxy = surroundings.proxy != nil || variables.contains { System.variable($0) != nil }
        least = reach(start.origin.host) ?? .world
    }

    /// Makes the rule for an address that a stranger chose.
    ///
    /// - Parameters:
    ///   - allowed: the addresses that are allowed although not all the world can reach them.
    ///   - isProxied: whether all connections lead to a proxy that the operator chose.
    init(allowing allowed: [AddressBlock], isProxied: Bool, reach: @escaping @Sendable (String) -> AddressReach?) {
        (self.allowed, mayUseProxy, self.reach) = (allowed, isProxied, reach)
        isRedirected = !isProxied
    }

    mutating func redirected(to address: WebAddress) throws(FetchError.Reason) {
        isRedirected = true
        try check(address)
    }

    /// - Throws: an error if the address itself shows that it must not be connected to. With a proxy, which resolves
    ///   names itself, only literal IP addresses can be checked.
    func check(_ address: WebAddress) throws(FetchError.Reason) {
        let host = address.origin.host
        if let reach = reach(host), !allows(reach, host) { throw Self.refusal(host) }
    }

    /// Whether a connection to this machine is allowed.
    mutating func admits(_ peer: Peer) -> Bool {
        let reach = reach(peer.address) ?? .none
        guard isRedirected else {
            known.insert(peer)
            if !mayUseProxy { least = min(least, reach) }
            return true
        }
        return known.contains(peer) || allows(reach, peer.address)
    }

    private func allows(_ reach: AddressReach, _ host: String) -> Bool {
        if reach >= max(least, .machine) { return true }
        guard !allowed.isEmpty, let address = IPAddress(host) else { return false }
        return allowed.contains { $0.contains(address) }
    }

    static func refusal(_ host: String) -> FetchError.Reason { .notPublic(host.shortened(to: 60)) }
}

extension PeerRule.Peer {
    /// Reads the machine's address from a socket address; nil if it is no IP address.
    init?(_ address: UnsafePointer<curl_sockaddr>) {
        let name = waymark_curl_peer(address)
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        guard
            getnameinfo(
                name, socklen_t(address.pointee.addrlen), &host, socklen_t(host.count), &port, socklen_t(port.count),
                NI_NUMERICHOST | NI_NUMERICSERV) == 0,
            let number = UInt16(Self.text(port))
        else { return nil }
        self.init(address: Self.text(host), port: number)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
