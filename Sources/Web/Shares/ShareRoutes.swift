// SPDX-License-Identifier: Apache-2.0

internal import Accounts
internal import HTTPTypes
internal import WaymarkClient
internal import WaymarkJSON

/// The routes with which people make links that end. Whoever has such a link needs no account: see ``SharedRoutes``.
enum ShareRoutes {
    static let all: [WebRoute] = [list, add, end]

    private static let author = [WriteRoutes.author[0]]

    private static let list = WebRoute(
        method: .get, template: "/v1/shares", summary: "The caller's links, a page at a time.",
        parameters: [
            .init(name: "after", help: "Only links after this one, which is next of the previous page."),
            .init(name: "limit", help: "The most links, 1 to 1000.", schema: WebSchemas.rows),
        ] + author, answers: [.json("Shares", in: WebSchemas.shares)]
    ) { context, request in
        let limit = try request.query.limit(100)
        let after = try request.query.value("after", "next of the previous page") { CurveKey(z85: $0) }
        let client = try acting(context, request)
        let page = try await Problem.of { try await client.grants.page(.see, after: after, limit: limit) }
        return WebAnswer {
            $0.array("shares", page.grants) { writer, link in writer.object { $0.link(link) } }
            $0.field("next", page.hasMore ? page.grants.last?.digest.z85 : nil)
        }
    }

    private static let add = WebRoute(
        method: .post, template: "/v1/shares",
        summary: "Make a link to a landmark or an area; only this answer has its secret.",
        parameters: author, body: LandmarkBody.shareFields, answers: [.json("Share", in: WebSchemas.shares)],
        success: .created
    ) { context, request in
        let body = try await LandmarkBody(request)
        let share = try body.share()
        var target = share.target
        if case .area(let filter) = target {
            let area = try await context.filter(filter, within: share.fence)
            guard !area.isEmpty else { throw Problem.invalid("A link needs a landmark or an area: give one.") }
            guard LandmarkFilter(area) != nil else { throw Problem.strangeArea }
            target = .area(area)
        }
        let (what, token) = (target, GrantToken())
        let client = try acting(context, request)
        let link = try await Problem.of {
            try await client.grants.add(
                token, .see, what, label: share.label, expires: share.expires, showsTrack: share.showsTrack)
        }
        var answer = WebAnswer {
            $0.link(link)
            $0.field("path", "/share#\(token)")
        }
        answer.headers[.cacheControl] = "no-store"
        return answer
    }

    private static let end = WebRoute(
        method: .delete, template: "/v1/shares/{fingerprint}",
        summary: "End a link at once, also for those who look at it.", parameters: author, answers: [],
        success: .noContent
    ) { context, request in
        let client = try acting(context, request)
        let wanted = request.path["fingerprint"]
        var (after, hasMore): (CurveKey?, Bool) = (nil, true)
        while hasMore {
            let last = after
            let page = try await Problem.of { try await client.grants.page(.see, after: last) }
            if let link = page.grants.first(where: { "\(Fingerprint($0.digest))" == wanted }) {
                try await Problem.of { try await client.grants.end(link.digest) }
                return WebAnswer()
            }
            (after, hasMore) = (page.grants.last?.digest, page.hasMore && !page.grants.isEmpty)
        }
        throw Problem(.notFound, "not_found", "There is no such link: it may have ended.")
    }

    /// Returns a client that acts for the caller. Its requests are no repeats: a link that is made again has another
    /// secret.
    private static func acting(_ context: WebContext, _ request: WebRequest) throws -> WaymarkClient {
        var author = try request.author(context.gate)
        author.once = nil
        return context.client.acting(for: author)
    }
}

extension LandmarkBody {
    fileprivate typealias Share = (
        label: String, target: Grant.Target, fence: String?, showsTrack: Bool, expires: UInt64?
    )

    fileprivate static let shareFields: [WebRoute.Parameter] =
        [
            .init(name: "landmark", help: "The id of a landmark; or else an area.", schema: WebSchemas.uuid),
            .init(name: "track", type: "boolean", help: "Whether the landmark's track is shown, too."),
            .init(name: "label", help: "The link's name, which is shown.", schema: WebSchemas.text(0, 64)),
            .init(
                name: "expires", help: "The end of the link, an RFC 3339 time; by hand only if it is left out.",
                schema: WebSchemas.time),
            .init(name: "fence", help: "The area, by the name of a fence.", schema: WebSchemas.name),
        ] + filterFields

    fileprivate func share() throws -> Share {
        try check(Set(Self.shareFields.map(\.name)), allowsAttributes: false)
        let (label, fence, expires) = (try text("label") ?? "", try text("fence"), try time("expires"))
        let (area, showsTrack) = (try filter().checked(), try flag("track"))
        guard let text = try text("landmark") else { return (label, .area(area), fence, showsTrack, expires) }
        guard let id = UUIDv7(text) else {
            throw Problem.invalid("The field landmark must be an id of 36 characters.")
        }
        guard area.isEmpty, fence == nil else {
            throw Problem.invalid("A link shows a landmark or an area: leave one out.")
        }
        return (label, .landmark(id), nil, showsTrack, expires)
    }
}

extension WebSchemas {
    fileprivate static let shares = """
        "Share":{"type":"object","required":["fingerprint","label","user","landmark","track","made","expires"],\
        "properties":{"fingerprint":{"type":"string"},"label":{"type":"string"},"user":\(optionalText),\
        "landmark":\(optionalText),"track":{"type":"boolean"},"made":\(time),"expires":\(optionalText),\
        \(filter),"path":{"type":"string"}}},\
        "Shares":{"type":"object","required":["shares","next"],"properties":{"shares":{"type":"array",\
        "items":\(reference("Share"))},"next":\(optionalText)}}
        """
}
