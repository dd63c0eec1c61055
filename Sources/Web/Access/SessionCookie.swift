// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes

/// The cookie that holds a session's secret.
enum SessionCookie {
    /// Over https the browser itself keeps others from setting it: `__Host-` needs Secure, no domain, and the whole path.
    /// Without, the port is part of the name, because browsers give cookies of one port to all ports of a host.
    static func name(isHTTPS: Bool, authority: String?) -> String {
        if isHTTPS { return "__Host-waymark" }
        let port = authority?.split(separator: ":").last.flatMap { UInt16($0) } ?? 80
        return "waymark-\(port)"
    }

    /// That of a session that has ended, which only shows who has been in before.
    static func nameOfBefore(isHTTPS: Bool, authority: String?) -> String {
        name(isHTTPS: isHTTPS, authority: authority) + "-before"
    }

    /// Nil without the cookie.
    static func value(_ headers: HTTPFields, _ name: String) -> String? {
        // Over HTTP/1.1 there is one such header; further ones would be joined by a comma, which is in no token.
        for pair in (headers[.cookie] ?? "").split(separator: ";") {
            let pair = pair.drop { $0 == " " }
            guard pair.hasPrefix(name + "=") else { continue }
            return String(pair.dropFirst(name.utf8.count + 1))
        }
        return nil
    }

    /// The header that sets it.
    ///
    /// - Parameter seconds: how long it lasts; 0 removes it.
    static func header(_ name: String, _ value: String, seconds: UInt64, isHTTPS: Bool) -> String {
        "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict" + (isHTTPS ? "; Secure" : "")
    }
}
