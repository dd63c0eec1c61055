// SPDX-License-Identifier: Apache-2.0

internal import Accounts
internal import HTTPTypes
internal import Ingest
internal import WaymarkClient
internal import WaymarkJSON
internal import WaymarkTransport

/// Signing in and out with a browser.
enum SessionRoutes {
    static let all: [WebRoute] = [read, begin, end, password]

    private typealias Parameter = WebRoute.Parameter
    private static let answer: [WebSchemas.Content] = [.json("Session")]
    private static let secret = WebSchemas.text(8, 256)

    private static let read = WebRoute(
        method: .get, template: "/v1/session", summary: "Who is signed in, and whether anybody has to be.",
        answers: answer, isOpen: true
    ) { context, request, _ throws(Problem) in
        var answer = WebAnswer(json: state(context, request))
        answer.headers[.cacheControl] = "no-store"
        return answer
    }

    private static let begin = WebRoute(
        method: .post, template: "/v1/session", summary: "Sign in: the answer sets the cookie of a session.",
        body: [
            Parameter(name: "name", isRequired: true, help: "The account.", schema: WebSchemas.text(1, 64)),
            Parameter(name: "password", isRequired: true, help: "8 to 256 bytes.", schema: secret),
            Parameter(name: "code", help: "An invitation's code: the password becomes the account's."),
        ], answers: answer, isCreating: true, isOpen: true
    ) { context, request, _ throws(Problem) in
        guard context.gate.needsAccounts else { throw .noAccounts }
        try WebGate.check(request.origin)
        let body = try SecretBody(await request.json(upTo: SecretBody.mostBytes), ["name", "password", "code"])
        let (name, password) = (try body.text("name"), try body.text("password"))
        let code = try body.text("code", or: "")
        let token = WebToken.make()
        guard let digest = WebToken.digest(token) else { throw .keyEnded }
        let account: AccountState
        do throws(ClientError) {
            account = try await context.client.acting(for: RequestAuthor(origin: request.origin.address)).beginSession(
                digest, for: name, password: Array(password.utf8), code: code,
                label: BrowserName.of(request.headers[.userAgent]),
                before: before(request).flatMap(WebToken.digest))
        } catch {
            throw Problem(error)
        }
        // Nobody needs the session that this browser had before.
        if let old = request.caller.session { try? await end(old, context, request) }
        var answer = WebAnswer(
            json: JSONWriter.line {
                $0.session(name: account.name, role: account.role, number: account.number)
            })
        answer.headers[.setCookie] = cookie(token, seconds: seconds, request)
        answer.headers[.cacheControl] = "no-store"
        return answer
    }

    private static let end = WebRoute(
        method: .delete, template: "/v1/session", summary: "Sign out: the session ends, here and everywhere.",
        answers: [], isEmpty: true, isOpen: true
    ) { context, request, _ throws(Problem) in
        if let session = request.caller.session {
            do throws(ClientError) { try await end(session, context, request) } catch { throw Problem(error) }
        }
        return emptied(request)
    }

    private static let password = WebRoute(
        method: .put, template: "/v1/password",
        summary: "Change the password, which ends all sessions of the account: sign in again.",
        body: [
            Parameter(name: "old", isRequired: true, help: "The present one.", schema: secret),
            Parameter(name: "new", isRequired: true, help: "8 to 256 bytes.", schema: secret),
        ], answers: [], isEmpty: true
    ) { context, request, _ throws(Problem) in
        guard context.gate.needsAccounts else { throw .noAccounts }
        let body = try SecretBody(await request.json(upTo: SecretBody.mostBytes), ["old", "new"])
        let (old, new) = (try body.text("old"), try body.text("new"))
        let author = try request.author(context.gate)
        do throws(ClientError) {
            try await context.client.acting(for: author).setPassword(old: Array(old.utf8), new: Array(new.utf8))
        } catch {
            throw Problem(error)
        }
        return emptied(request)
    }

    /// As long as storage keeps a session.
    private static let seconds: UInt64 = 30 * 86_400

    private static func end(
        _ session: (account: Account, key: AccountKey), _ context: WebContext, _ request: WebRequest
    ) async throws(ClientError) {
        let author = RequestAuthor(account: session.account.number, origin: request.origin.address)
        try await context.client.acting(for: author).endKey(session.key.key)
    }

    private static func emptied(_ request: WebRequest) -> WebAnswer {
        var answer = WebAnswer(json: [])
        answer.status = .noContent
        answer.headers[.setCookie] = cookie("", seconds: 0, request)
        if let before = before(request) {
            let isHTTPS = request.origin.isHTTPS
            let name = SessionCookie.nameOfBefore(isHTTPS: isHTTPS, authority: request.authority)
            answer.headers.append(
                HTTPField(
                    name: .setCookie,
                    value: SessionCookie.header(name, before, seconds: seconds, isHTTPS: isHTTPS)))
        }
        return answer
    }

    /// The secret of the session that the browser has or had; nil: none. Once it has ended it lets nobody in.
    private static func before(_ request: WebRequest) -> String? {
        let (isHTTPS, authority) = (request.origin.isHTTPS, request.authority)
        return [SessionCookie.name, SessionCookie.nameOfBefore].lazy.compactMap {
            SessionCookie.value(request.headers, $0(isHTTPS, authority))
        }.first { WebToken.digest($0) != nil }
    }

    private static func cookie(_ value: String, seconds: UInt64, _ request: WebRequest) -> String {
        let isHTTPS = request.origin.isHTTPS
        return SessionCookie.header(
            SessionCookie.name(isHTTPS: isHTTPS, authority: request.authority), value, seconds: seconds,
            isHTTPS: isHTTPS)
    }

    private static func state(_ context: WebContext, _ request: WebRequest) -> [UInt8] {
        JSONWriter.line {
            if case .account(let account, _) = request.caller {
                $0.session(name: account.name, role: account.role, number: account.number)
            } else {
                $0.field("accounts", context.gate.needsAccounts)
                $0.key("account")
                $0.null()
                $0.field("problem", context.gate.needsAccounts ? request.origin.exposure?.sentence : nil)
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func session(name: String, role: Role, number: UInt64) {
        field("accounts", true)
        key("account")
        object {
            $0.field("name", name)
            $0.field("number", number)
            $0.field("role", role.name)
        }
        field("problem", nil as String?)
    }
}

extension Problem {
    static let noAccounts = Problem(
        .notFound, "no_accounts", "This installation has no accounts: nobody has to sign in.")
}
