// SPDX-License-Identifier: Apache-2.0

internal import Accounts
internal import HTTPTypes

/// The cookies of a request that hold a session's secret, and those that an answer sets.
struct SessionCookie {
    /// As long as storage keeps a session.
    private static let seconds = 30 * 86_400

    private let isHTTPS: Bool
    /// Over https the browser itself keeps others from setting it: `__Host-` needs Secure, no domain, and the whole path.
    /// Without, the port is part of the name, because browsers give cookies of one port to all ports of a host.
    private let name: String
    private let sent: String

    init(_ request: WebRequest) {
        isHTTPS = request.origin.isHTTPS
        let port = request.authority?.split(separator: ":").last.flatMap { UInt16($0) } ?? 80
        name = isHTTPS ? "__Host-waymark" : "waymark-\(port)"
        // Over HTTP/1.1 there is one such header; further ones would be joined by a comma, which is in no token.
        sent = request.headers[.cookie] ?? ""
    }

    /// That of a session that has ended, which only shows who has been in before.
    private var nameOfBefore: String { name + "-before" }

    /// The secret of a session; nil without the cookie.
    var value: String? { secret(name) }

    /// The secret of the session that the browser has or had; nil: none. Once it has ended it lets nobody in.
    var before: String? {
        [name, nameOfBefore].lazy.compactMap(secret).first { WebToken.digest($0) != nil }
    }

    private func secret(_ name: String) -> String? {
        sent.split(separator: ";").map { pair in pair.drop { $0 == " " } }.first { $0.hasPrefix(name + "=") }
            .map { String($0.dropFirst(name.utf8.count + 1)) }
    }

    /// The header that begins a session.
    func beginning(_ token: String) -> HTTPField { header(name, token) }

    /// The headers that end it.
    var ending: [HTTPField] {
        [header(name, "", seconds: 0)] + (before.map { [header(nameOfBefore, $0)] } ?? [])
    }

    /// - Parameter seconds: how long it lasts; 0 removes it.
    private func header(_ name: String, _ value: String, seconds: Int = Self.seconds) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
                + (isHTTPS ? "; Secure" : ""))
    }
}
