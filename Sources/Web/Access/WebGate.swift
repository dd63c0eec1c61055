// SPDX-License-Identifier: Apache-2.0

package import Accounts
internal import HTTPTypes
internal import WaymarkProtocol
internal import WaymarkTransport
internal import WebServer
package import ZeroMQ

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
        // What was never a session may be left by another program.
        guard let digest = WebToken.digest(value) else { return .stranger }
        // A browser sends the cookie whoever made the page. SameSite keeps other sites out; so does this, by itself.
        if !request.method.isSafe {
            let own = "\(origin.isHTTPS ? "https" : "http")://\(request.authority?.lowercased() ?? "")"
            guard request.headers[.origin]?.lowercased() == own else {
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

/// What the HTTP interface needs where accounts are required.
package struct WebAccess: Sendable {
    /// The query service's own, by which it takes requests for others.
    package var keys: CurveKeyPair
    /// The accounts, as the query service knows them.
    package var book: AccountBook
    /// Waits until the book was read after a key came that is not in it: it may have been added a moment ago.
    package var settle: @Sendable (CurveKey) async -> Void

    package init(keys: CurveKeyPair, book: AccountBook, settle: @escaping @Sendable (CurveKey) async -> Void) {
        (self.keys, self.book, self.settle) = (keys, book, settle)
    }
}

/// Who asks.
enum WebCaller: Sendable {
    /// Accounts are not required.
    case anyone
    /// Accounts are required, and this one has proved nothing.
    case stranger
    /// The key is a session's or a bearer's.
    case account(Account, key: AccountKey)

    /// The session that the request came with.
    var session: (account: Account, key: AccountKey)? {
        if case .account(let account, let key) = self, key.kind == .session { (account, key) } else { nil }
    }
}
