// SPDX-License-Identifier: Apache-2.0

internal import Accounts
internal import HTTPTypes

/// The session cookies that a request sends and an answer sets.
struct SessionCookie {
    /// The cookie's lifetime, which is as long as storage keeps a session.
    private static let seconds = 30 * 86_400

    private let isHTTPS: Bool
    /// The prefix `__Host-` makes the browser itself keep others from setting the cookie: it demands Secure, no domain
    /// and the whole path. It needs https. Over plain HTTP the port is part of the name, because browsers send the
    /// cookies of one port to all ports of a host.
    private let name: String
    private let sent: String

    init(_ request: WebRequest) {
        isHTTPS = request.origin.isHTTPS
        let port = request.authority?.split(separator: ":").last.flatMap { UInt16($0) } ?? 80
        name = isHTTPS ? "__Host-waymark" : "waymark-\(port)"
        // HTTP/1.1 allows one such header. NIO joins further ones by a comma, which no token contains.
        sent = request.headers[.cookie] ?? ""
    }

    /// The cookie of a session that has ended. It lets nobody in, but shows who signed in before.
    private var nameOfBefore: String { name + "-before" }

    /// The session's secret; nil without the cookie.
    var value: String? { secret(name) }

    /// The secret of the present session or of an ended one; nil if there is neither. An ended one lets nobody in.
    var before: String? {
        [name, nameOfBefore].lazy.compactMap(secret).first { WebToken.digest($0) != nil }
    }

    private func secret(_ name: String) -> String? {
        sent.split(separator: ";").map { pair in pair.drop { $0 == " " } }.first { $0.hasPrefix(name + "=") }
            .map { String($0.dropFirst(name.utf8.count + 1)) }
    }

    /// Sets the cookie of a new session.
    func beginning(_ token: String) -> HTTPField { header(name, token) }

    /// The headers that end a session: its secret moves to the cookie of ended ones.
    var ending: [HTTPField] {
        [header(name, "", seconds: 0)] + (before.map { [header(nameOfBefore, $0)] } ?? [])
    }

    /// - Parameter seconds: the cookie's lifetime; 0 removes it.
    private func header(_ name: String, _ value: String, seconds: Int = Self.seconds) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
                + (isHTTPS ? "; Secure" : ""))
    }
}
