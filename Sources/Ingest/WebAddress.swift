// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// An `http:` or `https:` URL. User and password are stored separately.
struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    struct Credentials: Hashable, Sendable {
        var user: String
        var password: String
    }

    /// The scheme, host and port of a URL. Credentials are sent only to the origin for which they were given.
    struct Origin: Hashable, Sendable {
        var scheme: String
        var host: String
        var port: Int
    }

    /// The URL without user, password and fragment.
    let url: String
    let origin: Origin
    private(set) var credentials: Credentials?
    /// The URL without user, password and query, for people.
    let description: String

    init(_ text: String) throws(SourceLocationError) {
        guard let components = URLComponents(string: text) else { throw .malformed }
        try self.init(components)
    }

    private init(_ components: URLComponents) throws(SourceLocationError) {
        var components = components
        guard let scheme = components.scheme?.lowercased(), let host = components.host, !host.isEmpty else {
            throw .noHost
        }
        guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme(String(scheme.prefix(20))) }
        let port = components.port ?? (scheme == "https" ? 443 : 80)
        guard (1...65535).contains(port) else { throw .malformed }
        credentials = components.user.map { Credentials(user: $0, password: components.password ?? "") }
        components.user = nil
        components.password = nil
        components.fragment = nil
        guard let url = components.string else { throw .malformed }
        self.url = url
        origin = Origin(scheme: scheme, host: host.lowercased(), port: port)
        components.query = nil
        let base = components.string ?? "\(scheme)://\(host)"
        description = url.utf8.contains(UInt8(ascii: "?")) ? base + "?…" : base
    }

    /// Returns the address to which a `Location` header refers. Keeps the credentials only if the origin is the same.
    ///
    /// - Throws: an error if the address is neither `http:` nor `https:`, or leads from `https:` to `http:`.
    func following(_ location: String) throws(FetchError.Reason) -> WebAddress {
        guard let base = URL(string: url), let target = URL(string: location, relativeTo: base)?.absoluteURL,
            let components = URLComponents(url: target, resolvingAgainstBaseURL: true)
        else { throw .redirectRefused("its address is not a URL") }
        let scheme = components.scheme?.lowercased() ?? ""
        guard ["http", "https"].contains(scheme) else {
            throw .redirectRefused("it leads to a \(scheme.shortened(to: 20)): URL")
        }
        guard origin.scheme == "http" || scheme == "https" else {
            throw .redirectRefused("it leads from https: to http:")
        }
        var next: WebAddress
        do {
            next = try WebAddress(components)
        } catch {
            throw .redirectRefused("its address is not a URL")
        }
        if next.credentials == nil, next.origin == origin { next.credentials = credentials }
        return next
    }
}
