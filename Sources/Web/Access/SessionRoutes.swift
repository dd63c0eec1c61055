// SPDX-License-Identifier: Apache-2.0

internal import Accounts
internal import HTTPTypes
internal import JSON
internal import WaymarkClient

/// The routes with which a browser signs in and out.
enum SessionRoutes {
    static let all: [WebRoute] = [read, begin, join, end, password]

    private static let answer: [WebSchemas.Content] = [.json("Session", in: WebSchemas.session)]
    private static let secret = WebSchemas.text(8, 256)

    private static let read = WebRoute(
        method: .get, template: "/v1/session", summary: "The account that is signed in, and whether one is required.",
        answers: answer, isOpen: true
    ) { context, request in
        let needsAccounts = context.gate.needsAccounts
        guard case .account(let account, _) = request.caller else {
            return state(needsAccounts, problem: needsAccounts ? request.origin.exposure?.sentence : nil) { $0.null() }
        }
        return state(true) { $0.account(account.name, account.number, account.role) }
    }

    private static let begin = WebRoute(
        method: .post, template: "/v1/session", summary: "Sign in; the answer sets the cookie of a session.",
        body: [
            .init(name: "name", isRequired: true, help: "The account's name.", schema: WebSchemas.text(1, 64)),
            .init(name: "password", isRequired: true, help: "The password, 8 to 256 bytes.", schema: secret),
            .init(name: "code", help: "An invitation's code: the given password becomes the account's."),
        ], answers: answer, success: .created, isOpen: true
    ) { context, request in
        try await begin(context, request, isNew: false)
    }

    private static let join = WebRoute(
        method: .post, template: "/v1/account",
        summary: "Make an account and sign in, where the service lets anybody do so; else 403.",
        body: [
            .init(name: "name", isRequired: true, help: "The account's name.", schema: WebSchemas.text(1, 64)),
            .init(name: "password", isRequired: true, help: "The password, 8 to 256 bytes.", schema: secret),
        ], answers: answer, success: .created, isOpen: true
    ) { context, request in
        try await begin(context, request, isNew: true)
    }

    private static func begin(_ context: WebContext, _ request: WebRequest, isNew: Bool) async throws -> WebAnswer {
        guard context.gate.needsAccounts else { throw Problem.noAccounts }
        try WebGate.check(request.origin)
        let body = try await SecretBody(request, isNew ? ["name", "password"] : ["name", "password", "code"])
        let (name, password) = (try body.text("name"), try body.text("password"))
        let code = isNew ? "" : try body.text("code", or: "")
        let token = WebToken.make()
        guard let digest = WebToken.digest(token) else { throw Problem.keyEnded }
        let account = try await context.client.acting(for: RequestAuthor(origin: request.origin.address)).beginSession(
            digest, for: name, password: Array(password.utf8), code: code,
            label: BrowserName.of(request.headers[.userAgent]),
            before: SessionCookie(request).before.flatMap(WebToken.digest), fresh: isNew)
        // A new session in this browser replaces its previous session.
        if let old = request.caller.session { try? await end(old, context, request) }
        var answer = state(true) { $0.account(account.name, account.number, account.role) }
        answer.headers.append(SessionCookie(request).beginning(token))
        return answer
    }

    private static let end = WebRoute(
        method: .delete, template: "/v1/session", summary: "Sign out: end the session at once.",
        answers: [], success: .noContent, isOpen: true
    ) { context, request in
        if let session = request.caller.session { try await end(session, context, request) }
        return emptied(request)
    }

    private static let password = WebRoute(
        method: .put, template: "/v1/password",
        summary: "Change the password, which ends all sessions of the account: sign in again.",
        body: [
            .init(name: "old", isRequired: true, help: "The present password.", schema: secret),
            .init(name: "new", isRequired: true, help: "The new password, 8 to 256 bytes.", schema: secret),
        ], answers: [], success: .noContent
    ) { context, request in
        guard context.gate.needsAccounts else { throw Problem.noAccounts }
        let body = try await SecretBody(request, ["old", "new"])
        let (old, new) = (try body.text("old"), try body.text("new"))
        let author = try request.author(context.gate)
        try await context.client.acting(for: author).setPassword(old: Array(old.utf8), new: Array(new.utf8))
        return emptied(request)
    }

    private static func end(
        _ session: (account: Account, key: AccountKey), _ context: WebContext, _ request: WebRequest
    ) async throws(ClientError) {
        let author = RequestAuthor(account: session.account.number, origin: request.origin.address)
        try await context.client.acting(for: author).endKey(session.key.key)
    }

    private static func emptied(_ request: WebRequest) -> WebAnswer {
        var answer = WebAnswer()
        answer.headers.append(contentsOf: SessionCookie(request).ending)
        return answer
    }

    private static func state(
        _ needsAccounts: Bool, problem: String? = nil, account: (inout JSONWriter) -> Void
    ) -> WebAnswer {
        var answer = WebAnswer {
            $0.field("accounts", needsAccounts)
            $0.key("account")
            account(&$0)
            $0.field("problem", problem)
        }
        answer.headers[.cacheControl] = "no-store"
        return answer
    }
}

extension JSONWriter {
    fileprivate mutating func account(_ name: String, _ number: UInt64, _ role: Role) {
        object {
            $0.field("name", name)
            $0.field("number", number)
            $0.field("role", role.name)
        }
    }
}

extension Problem {
    static let noAccounts = Problem(
        .notFound, "no_accounts", "This installation has no accounts: nobody has to sign in.")
}

extension WebSchemas {
    static let session = """
        "Session":{"type":"object","required":["accounts","account","problem"],"properties":{"accounts":{"type":"boolean"},\
        "account":{"type":["object","null"],"required":["name","number","role"],"properties":{"name":\(text(1, 64)),\
        "number":\(whole),"role":{"enum":[\(roles)]}}},"problem":{"type":["string","null"]}}}
        """

    private static let roles = Role.allCases.map { "\"\($0.name)\"" }.joined(separator: ",")
}
