// SPDX-License-Identifier: Apache-2.0

package import Accounts
internal import HTTPTypes
internal import WaymarkProtocol
internal import WaymarkTransport
internal import WebServer
package import ZeroMQ

/// Determines who sends a request, by the cookie of a session or by a bearer token.
struct WebGate: Sendable {
    /// The access to accounts; nil if accounts are not required.
    let access: WebAccess?

    var needsAccounts: Bool { access != nil }

    /// - Throws: ``Problem`` for a credential that is not valid, or that must not be sent over this connection.
    func caller(_ request: WebRequest) async throws(Problem) -> WebCaller {
        guard let access else { return .anyone }
        let origin = request.origin
        if let bearer = request.headers[.authorization] {
            try Self.check(origin)
            guard bearer.lowercased().hasPrefix("bearer "), let digest = WebToken.digest(String(bearer.dropFirst(7)))
            else { throw .keyEnded }
            return try await account(of: digest, .bearer, access)
        }
        guard let value = SessionCookie(request).value else { return .stranger }
        try Self.check(origin)
        // A cookie that is no token may come from another program on this host, so ignore it.
        guard let digest = WebToken.digest(value) else { return .stranger }
        // Browsers send the cookie whichever page makes the request. SameSite keeps requests of other sites out; this
        // check alone would keep them out, too.
        if !request.method.isSafe {
            let own = try request.base().lowercased()
            guard request.headers[.origin]?.lowercased() == own else {
                throw Problem(
                    .forbidden, "foreign_origin",
                    "With a session only this service's page may write: give a program a bearer key.")
            }
        }
        return try await account(of: digest, .session, access)
    }

    /// Whether the caller's key is still valid.
    func isWelcome(_ caller: WebCaller) -> Bool {
        guard let access else { return true }
        guard case .account(_, let key) = caller else { return false }
        return (try? access.book.account(ofToken: key.key, at: WallClock.milliseconds)) != nil
    }

    /// - Throws: ``Problem`` if somebody on the way could read a secret that comes with this request.
    static func check(_ origin: RequestOrigin) throws(Problem) {
        guard let exposure = origin.exposure else { return }
        throw Problem(.forbidden, "not_encrypted", exposure.sentence)
    }

    private func account(
        of digest: CurveKey, _ kind: KeyKind, _ access: WebAccess
    ) async throws(Problem) -> WebCaller {
        if !access.book.knows(digest), await !access.settle(digest) { throw .accountsUnread }
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
    /// The sentence for the error that says why a secret is refused.
    var sentence: String {
        switch self {
        case .plain:
            "Passwords and sessions are accepted over https only, or from this machine: use the proxy that ends TLS."
        case .unnamedProxy:
            "The request came through a proxy that web.proxies does not name: name it there if it ends TLS."
        case .plainAtProxy:
            "The proxy does not say that the request came over https: use https, and let it set X-Forwarded-Proto."
        }
    }
}

extension Problem {
    static let keyEnded = Problem(
        .unauthorized, "key_ended", "This session or key is unknown or has ended: sign in again.")
    /// A session that this service does not know may have begun at another one. If it were called ended, the page
    /// would sign its person out.
    static let accountsUnread = Problem(
        .serviceUnavailable, "unavailable",
        "The accounts could not be read in time, so nothing is known of this session or key yet: try again.",
        retryAfter: 1)
    static let signIn = Problem(
        .unauthorized, "sign_in", "Sign in first: with POST /v1/session, or with a bearer key of your account.")
}

/// The keys and accounts with which an HTTP interface identifies callers.
package struct WebAccess: Sendable {
    /// The query service's own keys, which allow it to send requests in the name of others.
    package var keys: CurveKeyPair
    /// The accounts that the query service knows.
    package var book: AccountBook
    /// Waits until the accounts are read again if this key is unknown, because it may have been added just now. Returns
    /// false if they could not be read in time.
    package var settle: @Sendable (CurveKey) async -> Bool

    package init(keys: CurveKeyPair, book: AccountBook, settle: @escaping @Sendable (CurveKey) async -> Bool) {
        (self.keys, self.book, self.settle) = (keys, book, settle)
    }
}

/// The sender of a request.
enum WebCaller: Sendable {
    /// Anybody, because accounts are not required.
    case anyone
    /// Somebody without a credential although accounts are required.
    case stranger
    /// The owner of a session or of a bearer token.
    case account(Account, key: AccountKey)

    /// The session whose cookie came with the request; nil if there is none.
    var session: (account: Account, key: AccountKey)? {
        if case .account(let account, let key) = self, key.kind == .session { (account, key) } else { nil }
    }
}
