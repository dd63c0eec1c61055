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

    private static let begin = entrance(
        "/v1/session", "Sign in; the answer sets the cookie of a session.",
        [.init(name: "code", help: "An invitation's code: the given password becomes the account's.")], isNew: false)

    private static let join = entrance(
        "/v1/account", "Make an account and sign in, where the service lets anybody do so; else 403.", [], isNew: true)

    private static func entrance(
        _ path: String, _ summary: String, _ more: [WebRoute.Parameter], isNew: Bool
    ) -> WebRoute {
        let fields: [WebRoute.Parameter] =
            [
                .init(name: "name", isRequired: true, help: "The account's name.", schema: WebSchemas.name),
                .init(name: "password", isRequired: true, help: "The password, 8 to 256 bytes.", schema: secret),
            ] + more
        return WebRoute(
            method: .post, template: path, summary: summary, body: fields, answers: answer, success: .created,
            isOpen: true
        ) { context, request in
            guard context.gate.needsAccounts else { throw Problem.noAccounts }
            try WebGate.check(request.origin)
            let body = try await LandmarkBody(request, upTo: LandmarkBody.secretBytes)
            let (name, password) = (try body.secret("name"), try body.secret("password"))
            let (code, token) = (try body.secret("code", or: ""), WebToken.make())
            guard let digest = WebToken.digest(token) else { throw Problem.keyEnded }
            let client = context.client.acting(for: RequestAuthor(origin: request.origin.address))
            let account = try await client.beginSession(
                digest, for: name, password: Array(password.utf8), code: code,
                label: BrowserName.of(request.headers[.userAgent]),
                before: SessionCookie(request).before.flatMap(WebToken.digest), fresh: isNew)
            // A new session in this browser replaces its previous session.
            if let old = request.caller.session { try? await end(old, context, request) }
            var answer = state(true) { $0.account(account.name, account.number, account.role) }
            answer.headers.append(SessionCookie(request).beginning(token))
            return answer
        }
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
        let body = try await LandmarkBody(request, upTo: LandmarkBody.secretBytes)
        let (old, new) = (try body.secret("old"), try body.secret("new"))
        try await context.acting(request).setPassword(old: Array(old.utf8), new: Array(new.utf8))
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
        WebAnswer {
            $0.field("accounts", needsAccounts)
            $0.key("account")
            account(&$0)
            $0.field("problem", problem)
        }.unkept
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
