// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import WebServer

/// Which names and which pages may ask.
///
/// A page of another site can make a browser send requests here. If its name resolves to this machine (DNS rebinding), the
/// browser even lets it read the answers. So the name that was asked for has to be one of ours, and a page that writes has
/// to come from here.
struct HostRule: Sendable {
    private let names: Set<String>
    private let origins: Set<String>

    init(_ options: WebOptions) {
        names = Set(["localhost", "127.0.0.1", "[::1]", Self.bracketed(options.address.host)] + options.hosts)
        origins = Set(options.origins)
    }

    /// - Parameter authority: the header `Host`.
    /// - Throws: ``Problem`` if the name is not one of ours, or if a foreign page wants to change something.
    func check(_ method: HTTPRequest.Method, authority: String?, origin: String?) throws(Problem) {
        guard let authority, names.contains(Self.name(of: authority)) else {
            throw Problem(
                .misdirectedRequest, "unknown_host",
                "This service is not known under that name: ask for localhost, or add the name to web.hosts.")
        }
        guard let origin, !method.isSafe, !isOurs(origin, authority), !allows(origin) else { return }
        throw Problem(
            .forbidden, "foreign_origin", "Pages of another origin may not write here: see web.origins.")
    }

    /// Whether pages of this origin may read answers, although they come from another site.
    func allows(_ origin: String) -> Bool { origins.contains(origin.lowercased()) }

    private func isOurs(_ origin: String, _ authority: String) -> Bool {
        origin.lowercased() == "http://\(authority.lowercased())"
            || origin.lowercased() == "https://\(authority.lowercased())"
    }

    /// The name without its port.
    private static func name(of authority: String) -> String {
        let text = authority.lowercased()
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return String(text[...end]) }
        return text.utf8.firstIndex(of: UInt8(ascii: ":")).map { String(text[..<$0]) } ?? text
    }

    private static func bracketed(_ host: String) -> String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host.lowercased())]" : host.lowercased()
    }
}

extension HTTPRequest.Method {
    var isSafe: Bool { self == .get || self == .head || self == .options }
}
