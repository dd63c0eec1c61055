// SPDX-License-Identifier: Apache-2.0

internal import Accounts
internal import HTTPTypes

/// Reads the session cookies of a request, and makes the session cookies that an answer sets.
struct SessionCookie {
    /// The lifetime of a cookie in seconds, which equals the time for which storage keeps a session.
    private static let seconds = 30 * 86_400

    private let isHTTPS: Bool
    /// The name of the cookie. With the prefix `__Host-`, which needs HTTPS, the browser prevents others from setting
    /// the cookie: it must be Secure, without a domain and for the whole path. Over plain HTTP the port is a part of
    /// the name, because browsers send the cookies of one port to all ports of a host.
    private let name: String
    private let sent: String

    init(_ request: WebRequest) {
        isHTTPS = request.origin.isHTTPS
        let port = request.authority?.split(separator: ":").last.flatMap { UInt16($0) } ?? 80
        name = isHTTPS ? "__Host-waymark" : "waymark-\(port)"
        // HTTP/1.1 allows one Cookie header. NIO joins several ones with a comma, which no token contains.
        sent = request.headers[.cookie] ?? ""
    }

    /// The name of the cookie for an ended session. This cookie grants no access, but shows who signed in before.
    private var nameOfBefore: String { name + "-before" }

    /// The secret of the session; nil if there is no cookie.
    var value: String? { secret(name) }

    /// The secret of the present session or of an ended session, which grants no access; nil if there is neither.
    var before: String? {
        [name, nameOfBefore].lazy.compactMap(secret).first { WebToken.digest($0) != nil }
    }

    private func secret(_ name: String) -> String? {
        sent.split(separator: ";").map { pair in pair.drop { $0 == " " } }.first { $0.hasPrefix(name + "=") }
            .map { String($0.dropFirst(name.utf8.count + 1)) }
    }

    /// Makes the header that sets the cookie of a new session.
    func beginning(_ token: String) -> HTTPField { header(name, token) }

    /// The headers that end a session. They move its secret to the cookie for ended sessions.
    var ending: [HTTPField] {
        [header(name, "", seconds: 0)] + (before.map { [header(nameOfBefore, $0)] } ?? [])
    }

    /// - Parameter seconds: the lifetime of the cookie; 0 removes it.
    private func header(_ name: String, _ value: String, seconds: Int = Self.seconds) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
                + (isHTTPS ? "; Secure" : ""))
    }
}
