// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes

/// Decides which host names and which web pages may send requests.
///
/// A page of a foreign site can make a browser send requests to this service. If the site's name resolves to this
/// machine (DNS rebinding), the browser even lets the page read the answers. Therefore the host in the request must be
/// known, and requests from pages of other origins are refused, whatever their method. Browsers send the origin in
/// `Origin`, or tell in `Sec-Fetch-Site` that it is foreign. Programs send neither header.
struct HostRule: Sendable {
    private let names: Set<String>
    private let origins: Set<String>

    init(_ options: WebOptions) {
        names = Set(["localhost", "127.0.0.1", "[::1]", Self.name(of: "\(options.address)")] + options.hosts)
        origins = Set(options.origins)
    }

    /// - Throws: ``Problem`` if the host is unknown, or if the request comes from a foreign page.
    func check(_ request: HTTPRequest) throws(Problem) {
        // Refuse a second Host header (RFC 9112, 3.2), because a proxy on the way may have used the other value.
        guard let authority = request.authority, request.headerFields[fields: .host].isEmpty else {
            throw Problem.malformed("The request has no header Host, or several: send one.")
        }
        guard names.contains(Self.name(of: authority)) else {
            throw Problem(
                .misdirectedRequest, "unknown_host",
                "This service is not known under that name: use localhost, or add the name to web.hosts.")
        }
        guard !isOurs(request, authority), !Self.isVisit(request) else { return }
        throw Problem(
            .forbidden, "foreign_origin",
            "Pages of another origin may neither read nor write here: name the origin in web.origins.")
    }

    /// Whether the request comes from a program, from a page of this service, or from an allowed site.
    private func isOurs(_ request: HTTPRequest, _ authority: String) -> Bool {
        if let origin = request.headerFields[.origin] {
            return ["http", "https"].contains { origin.lowercased() == "\($0)://\(authority.lowercased())" }
                || allows(origin)
        }
        // `none` means that somebody has typed the URL.
        return [nil, "same-origin", "none"].contains(request.headerFields[.fetchSite])
    }

    /// Whether somebody opens one of the two pages by a link on any site. Loading a page into a frame or as a picture
    /// does not count.
    private static func isVisit(_ request: HTTPRequest) -> Bool {
        let path = request.path?.prefix { $0 != "?" }
        return (path == "/" || path == "/v1") && (request.method == .get || request.method == .head)
            && request.headerFields[.origin] == nil && request.headerFields[.fetchMode] == "navigate"
            && request.headerFields[.fetchDestination] == "document"
    }

    /// Whether pages of this origin may read answers although they are on a different site.
    func allows(_ origin: String) -> Bool { origins.contains(origin.lowercased()) }

    /// Returns the host name without the port.
    private static func name(of authority: String) -> String {
        let text = authority.lowercased()
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return String(text[...end]) }
        return text.utf8.firstIndex(of: UInt8(ascii: ":")).map { String(text[..<$0]) } ?? text
    }
}

extension HTTPField.Name {
    // The initialisers never return nil, because the names are tokens of RFC 9110.
    /// The header Host. NIO makes the first one the request's authority, so a field of this name is a second one.
    fileprivate static let host = HTTPField.Name("Host") ?? .accept
    fileprivate static let fetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .accept
    fileprivate static let fetchMode = HTTPField.Name("Sec-Fetch-Mode") ?? .accept
    fileprivate static let fetchDestination = HTTPField.Name("Sec-Fetch-Dest") ?? .accept
}

extension HTTPRequest.Method {
    var isSafe: Bool { self == .get || self == .head || self == .options }
}
