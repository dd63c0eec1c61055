// SPDX-License-Identifier: Apache-2.0

internal import Accounts
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import MapPage
internal import NIOCore
internal import WebServer

/// Answers requests: checks who asks, finds the route, and adds the headers that all answers have.
struct WebRouter: Sendable {
    static let routes: [WebRoute] =
        ReadRoutes.all + PlaceRoutes.all + RatesRoutes.all + TileRoute.all + WriteRoutes.all + TrackRoutes.all
        + KindRoutes.all + FenceRoutes.all + HookRoutes.all + ChangeRoute.all + SessionRoutes.all + DescriptionRoute.all
        + PhoneRoutes.all + ReportRoutes.all + SharedRoutes.all + ShareRoutes.all + FeatureRoutes.all

    private static let table = RouteTable(routes)
    /// The headers that all answers have.
    private static let headers: HTTPFields = [
        .xContentTypeOptions: "nosniff", .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
        .referrerPolicy: "no-referrer", .resourcePolicy: "same-origin", .cacheControl: "no-cache",
        .vary: "Accept, Accept-Encoding, Origin",
    ]

    private let context: WebContext
    private let rule: HostRule
    private let logger: Logger

    init(_ context: WebContext, logger: Logger) {
        (self.context, self.logger) = (context, logger)
        rule = HostRule(context.options)
    }

    /// - Parameter peer: the IP address of the other end of the connection; nil if the connection is gone.
    func respond(to request: Request, from peer: String?) async -> Response {
        let begun = ContinuousClock.now
        let origin = request.headers[.origin]
        var answer: WebAnswer
        // All unknown paths share one label in the metrics.
        var label = "other"
        do {
            try rule.check(request.head)
            answer = try await answered(request, peer, &label)
        } catch {
            var problem = Problem(error)
            // OGC API - Features has one status for all wrong parameters.
            if label.hasPrefix("/ogc"), problem.status == .unprocessableContent { problem.status = .badRequest }
            answer = WebAnswer(problem)
        }
        if let origin, rule.allows(origin) { allow(origin, &answer) }
        let response = await finish(answer, request)
        let time = ContinuousClock.now - begun
        context.hub.metrics.answered(
            label, status: response.status.code, in: time, bytes: response.body.contentLength ?? 0)
        if logger.logLevel <= .debug {
            logger.debug(
                "web request",
                metadata: [
                    "method": "\(request.method)", "path": "\(Self.withoutKeys(request.uri.path))",
                    "status": .stringConvertible(response.status.code),
                    "us": .stringConvertible(Int(time / .microseconds(1))),
                ])
        }
        return response
    }

    /// Returns the path without the keys of phones, which some apps can only send there.
    static func withoutKeys(_ path: String) -> String {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        for place in parts.indices where GrantToken(parts[place]) != nil { parts[place] = "…" }
        // A key with a slip is a secret too.
        if parts.count > 4, parts[2] == "track" { parts[3] = "…" }
        return parts.joined(separator: "/")
    }

    private func answered(_ request: Request, _ peer: String?, _ label: inout String) async throws -> WebAnswer {
        let matches = try Self.table.matches(request.uri.path)
        var asked = try WebRequest(request)
        guard !matches.isEmpty else {
            let tiles = context.options.tiles
            if asked.method == .get || asked.method == .head, let asset = PageAsset.at(request.uri.path, tiles: tiles) {
                label = "page"
                return WebAnswer(asset, tiles: tiles)
            }
            throw Problem(
                .notFound, "not_found", "There is nothing here: the interface begins at /v1, see /v1/openapi.json.")
        }
        label = matches[0].known.route.template
        let method = asked.method == .head ? .get : asked.method
        guard let (known, path) = matches.first(where: { $0.known.route.method == method }) else {
            var allowed = matches.map { $0.known.route.method.rawValue }
            if allowed.contains("GET") { allowed.append("HEAD") }
            let methods = (allowed + ["OPTIONS"]).joined(separator: ", ")
            guard method == .options else {
                throw Problem(
                    .methodNotAllowed, "method_not_allowed", "This path knows only \(methods).", allow: methods)
            }
            var answer = WebAnswer()
            answer.status = .noContent
            answer.headers[.allow] = methods
            answer.headers[.accessControlAllowMethods] = methods
            return answer
        }
        try known.check(asked.query)
        try known.check(asked.headers)
        (asked.path, asked.fields) = (path, known.fields)
        asked.origin = await RequestOrigin(peer: peer, request.headers, behind: context.options.proxies)
        if context.gate.needsAccounts { asked.caller = try await caller(asked, known.route) }
        var answer = try await known.route.handler(context, asked)
        answer.status = known.route.success
        return answer
    }

    /// - Throws: ``Problem`` if the caller has not signed in and the route requires that.
    private func caller(_ asked: WebRequest, _ route: WebRoute) async throws(Problem) -> WebCaller {
        do throws(Problem) {
            let caller = try await context.gate.caller(asked)
            if case .stranger = caller, !route.isOpen { throw Problem.signIn }
            return caller
        } catch {
            // A person who signs in may still have the cookie of an ended session, so open routes ignore it. But a
            // session that may have begun elsewhere is not ignored: a sign-in ends the browser's previous session.
            guard route.isOpen, !["foreign_origin", "unavailable"].contains(error.code) else { throw error }
            return .stranger
        }
    }

    private func allow(_ origin: String, _ answer: inout WebAnswer) {
        answer.headers[.accessControlAllowOrigin] = origin
        answer.headers[.accessControlExposeHeaders] = "ETag, Retry-After"
        answer.headers[.accessControlAllowHeaders] =
            "Authorization, Content-Type, If-Match, Idempotency-Key, Last-Event-ID, Waymark-User"
    }

    private func finish(_ answer: WebAnswer, _ request: Request) async -> Response {
        var headers = Self.headers
        if context.gate.needsAccounts {
            // Caches must not give the answer for one person to another.
            headers[.cacheControl] = "private, no-cache"
            headers[.vary] = "Accept, Accept-Encoding, Authorization, Cookie, Origin"
        }
        for field in answer.headers { headers[field.name] = field.value }
        // Set-Cookie is the only header that answers may repeat.
        let cookies = answer.headers[fields: .setCookie]
        if !cookies.isEmpty { headers[fields: .setCookie] = cookies }
        headers[.contentType] = answer.contentType
        if answer.status == .noContent {
            headers[.contentType] = nil
            return Response(status: answer.status, headers: headers)
        }
        var bytes: [UInt8]
        switch answer.body {
        case .stream(let write):
            let body = ResponseBody { writer in
                try await write(&writer)
                try await writer.finish(nil)
            }
            return Response(status: answer.status, headers: headers, body: body)
        case .bytes(let whole): bytes = whole
        }
        if answer.status == .ok, request.method.isSafe {
            let tag = headers[.eTag] ?? EntityTag.content(bytes)
            headers[.eTag] = tag
            if EntityTag.matches(request.headers[.ifNoneMatch], tag) {
                headers[.contentType] = nil
                return Response(status: .notModified, headers: headers)
            }
        }
        if bytes.count >= Deflation.leastBytes, Self.acceptsGzip(request.headers) {
            // Compression takes milliseconds, for which the other connections of this event loop must not wait.
            let (whole, isLasting) = (bytes, answer.isLasting)
            if let packed = await Task.detached(operation: { Deflation.gzip(whole, isLasting: isLasting) }).value {
                (bytes, headers[.contentEncoding]) = (packed, "gzip")
            }
        }
        headers[.contentLength] = "\(bytes.count)"
        return Response(
            status: answer.status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private static func acceptsGzip(_ headers: HTTPFields) -> Bool {
        (headers[.acceptEncoding] ?? "").split(separator: ",").contains { coding in
            let parts = coding.filter { $0 != " " }.lowercased().split(separator: ";")
            return (parts.first == "gzip" || parts.first == "*")
                && !parts.dropFirst().contains { Double($0.dropFirst(2)) == 0 }
        }
    }
}
