// SPDX-License-Identifier: Apache-2.0

internal import Accounts
internal import HTTPTypes
internal import WaymarkProtocol
internal import WaymarkTransport
internal import WebServer
internal import ZeroMQ

/// Finds out who asks: by the cookie of a session, or by a bearer.
struct WebGate: Sendable {
    private let access: WebAccess?
    private let proxies: ProxyRule

    init(_ access: WebAccess?, behind proxies: ProxyRule) {
        (self.access, self.proxies) = (access, proxies)
    }

    var needsAccounts: Bool { access != nil }

    func origin(_ peer: String?, _ headers: HTTPFields) async -> RequestOrigin {
        await RequestOrigin(peer: peer, headers, behind: proxies)
    }

    /// - Throws: ``Problem`` for a credential that is not accepted, or that must not be sent this way.
    func caller(
        _ method: HTTPRequest.Method, _ headers: HTTPFields, authority: String?, from origin: RequestOrigin
    ) async throws(Problem) -> WebCaller {
        guard let access else { return .anyone }
        let cookie = SessionCookie.name(isHTTPS: origin.isHTTPS, authority: authority)
        if let bearer = headers[.authorization] {
            try Self.check(origin)
            guard bearer.lowercased().hasPrefix("bearer "), let digest = WebToken.digest(String(bearer.dropFirst(7)))
            else { throw .keyEnded }
            return try await account(of: digest, .bearer, access)
        }
        guard let value = SessionCookie.value(headers, cookie) else { return .stranger }
        try Self.check(origin)
        // What was never a session may be left by another program.
        guard let digest = WebToken.digest(value) else { return .stranger }
        // A browser sends the cookie whoever made the page. SameSite keeps other sites out; so does this, by itself.
        if !method.isSafe {
            let own = "\(origin.isHTTPS ? "https" : "http")://\(authority?.lowercased() ?? "")"
            guard headers[.origin]?.lowercased() == own else {
                throw Problem(
                    .forbidden, "foreign_origin",
                    "With a session only the page of this service may write: a program uses a bearer key.")
            }
        }
        return try await account(of: digest, .session, access)
    }

    /// Whether a caller may still ask.
    func isWelcome(_ caller: WebCaller) -> Bool {
        guard let access else { return true }
        guard case .account(_, let key) = caller else { return false }
        return (try? access.book.account(ofToken: key.key, at: WallClock.milliseconds)) != nil
    }

    /// - Throws: ``Problem`` if somebody could read a secret that is sent this way.
    static func check(_ origin: RequestOrigin) throws(Problem) {
        guard let exposure = origin.exposure else { return }
        throw Problem(.forbidden, "not_encrypted", exposure.sentence)
    }

    private func account(
        of digest: CurveKey, _ kind: KeyKind, _ access: WebAccess
    ) async throws(Problem) -> WebCaller {
        if !access.book.knows(digest) { await access.settle(digest) }
        do throws(ServiceError) {
            let (account, key) = try access.book.account(ofToken: digest, at: WallClock.milliseconds)
            guard key.kind == kind else { throw .keyEnded }
            return .account(account, key: key)
        } catch {
            throw error.code == .accountEnded ? Problem(error) : .keyEnded
        }
    }
}

extension RequestOrigin.Exposure {
    /// For a person.
    var sentence: String {
        switch self {
        case .plain:
            "Passwords and sessions are taken over https only, or from this machine: ask the proxy that ends TLS."
        case .unnamedProxy:
            "A proxy has forwarded this, and web.proxies does not name it: name it there if it ends TLS."
        case .plainAtProxy:
            "The proxy does not say that this came over https: ask for https, and let it set X-Forwarded-Proto."
        }
    }
}

extension Problem {
    static let keyEnded = Problem(
        .unauthorized, "key_ended", "This session or key is not accepted, or not any more: sign in again.")
    static let signIn = Problem(
        .unauthorized, "sign_in", "Sign in first: with POST /v1/session, or with a bearer key of your account.")
}
