// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes

/// Decides which host names and which pages may ask.
///
/// A page of another site can make a browser send requests here. If its name resolves to this machine (DNS rebinding),
/// the browser even lets it read the answers. So the request's host must be one of ours, and no handler sees a request
/// that a page of another origin has made, whatever its method. Browsers name that origin in `Origin`, or say in
/// `Sec-Fetch-Site` that it is another one; programs send neither.
struct HostRule: Sendable {
    private let names: Set<String>
    private let origins: Set<String>

    init(_ options: WebOptions) {
        names = Set(["localhost", "127.0.0.1", "[::1]", Self.name(of: "\(options.address)")] + options.hosts)
        origins = Set(options.origins)
    }

    /// - Throws: ``Problem`` if the host is not one of ours, or if a foreign page asks.
    func check(_ request: HTTPRequest) throws(Problem) {
        // A second Host (RFC 9112, 3.2) is refused: a proxy on the way may have obeyed the other one.
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

    /// Whether the request comes from a program, from a page of this service, or from a site that may ask.
    private func isOurs(_ request: HTTPRequest, _ authority: String) -> Bool {
        if let origin = request.headerFields[.origin] { return isOurs(origin, authority) || allows(origin) }
        // `none`: somebody has typed the address.
        return [nil, "same-origin", "none"].contains(request.headerFields[.fetchSite])
    }

    /// Whether somebody follows a link from anywhere to one of the two pages. Frames and pictures are no visits.
    private static func isVisit(_ request: HTTPRequest) -> Bool {
        let path = request.path?.prefix { $0 != "?" }
        return (path == "/" || path == "/v1") && (request.method == .get || request.method == .head)
            && request.headerFields[.origin] == nil && request.headerFields[.fetchMode] == "navigate"
            && request.headerFields[.fetchDestination] == "document"
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
}

extension HTTPField.Name {
    // The names are tokens of RFC 9110, so none is nil.
    /// The header Host. NIO makes the first one the request's authority, so a field of this name is a second one.
    fileprivate static let host = HTTPField.Name("Host") ?? .accept
    fileprivate static let fetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .accept
    fileprivate static let fetchMode = HTTPField.Name("Sec-Fetch-Mode") ?? .accept
    fileprivate static let fetchDestination = HTTPField.Name("Sec-Fetch-Dest") ?? .accept
}

extension HTTPRequest.Method {
    var isSafe: Bool { self == .get || self == .head || self == .options }
}
