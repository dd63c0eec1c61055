// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Web

/// The option for the address under which others reach the HTTP interface.
struct WebAddressOptions: ParsableArguments {
    @Option(.site, "Where others open the page, such as https://waymark.example. (default: the service's host)")
    var web: String?

    /// Returns the beginning of addresses, without a slash at its end.
    func site(of session: Session) -> String { web ?? Self.site(of: session.endpoint) }

    /// Guesses the address by the endpoint: on this machine that of `waymark up`, elsewhere https at the same host.
    static func site(of endpoint: String) -> String {
        let first = endpoint.prefix { $0 != "," }, prefix = "tcp://"
        let rest = first.dropFirst(prefix.count)
        let host = rest[..<(rest.lastIndex(of: ":") ?? rest.endIndex)]
        let isHere = !first.hasPrefix(prefix) || host.hasPrefix("127.") || ["localhost", "[::1]"].contains(host)
        return isHere ? "http://\(WebOptions.defaultAddress)" : "https://\(host)"
    }
}
