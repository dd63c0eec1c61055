// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

/// The machines to which one fetch may connect.
///
/// The operator chooses the address of a source, but the server chooses that of a redirect. A redirect must not lead to
/// a machine that fewer can reach than the source itself: otherwise a server on the internet could read this machine's
/// own services, and those of its network.
struct PeerRule {
    struct Peer: Hashable {
        var address: String
        var port: UInt16
    }

    private let reach: @Sendable (String) -> AddressReach?
    /// Whether a connection may lead to a proxy, whose address says nothing about the server behind it.
    private let mayUseProxy: Bool
    private var isRedirected = false
    private var least = AddressReach.world
    /// The machines to which the source's own address led; with a proxy, the proxy.
    private var known: Set<Peer> = []

    init(_ start: WebAddress, _ surroundings: SourceFetcher.Surroundings) {
        reach = surroundings.reach
        let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        mayUseProxy = surroundings.proxy != nil || variables.contains { System.variable($0) != nil }
        least = reach(start.origin.host) ?? .world
    }

    /// - Throws: an error if the address of the redirect alone shows that it must not be followed. A proxy resolves
    ///   names itself, so only literal addresses can be checked.
    mutating func redirected(to address: WebAddress) throws(FetchError.Reason) {
        isRedirected = true
        if let reach = reach(address.origin.host), !allows(reach) { throw Self.refusal(address.origin.host) }
    }

    /// Whether a connection to this machine may be made.
    mutating func admits(_ peer: Peer) -> Bool {
        let reach = reach(peer.address) ?? .none
        guard isRedirected else {
            known.insert(peer)
            if !mayUseProxy { least = min(least, reach) }
            return true
        }
        return known.contains(peer) || allows(reach)
    }

    private func allows(_ reach: AddressReach) -> Bool { reach >= max(least, .machine) }

    static func refusal(_ host: String) -> FetchError.Reason {
        .redirectRefused(
            "it leads to \(host.shortened(to: 60)), which is no public address, although the source's own is; if that "
                + "is right, give the source this address")
    }
}

extension PeerRule.Peer {
    /// The machine at a socket address; nil if it is no IP address.
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
