// SPDX-License-Identifier: Apache-2.0

internal import Accounts
internal import HTTPTypes
internal import WaymarkClient
internal import WaymarkJSON

/// The routes with which people make links that end. Whoever has such a link needs no account: see ``SharedRoutes``.
enum ShareRoutes {
    static let all: [WebRoute] = [
        list, add,
        GrantRoutes.end(
            .see, at: "/v1/shares", "End a link at once, also for those who look at it.",
            missing: "There is no such link: it may have ended."),
    ]

    private static let list = WebRoute(
        method: .get, template: "/v1/shares", summary: "The caller's links, a page at a time.",
        parameters: [
            .init(name: "after", help: "Only links after this one, which is next of the previous page."),
            .init(name: "limit", help: "The most links, 1 to 1000.", schema: WebSchemas.rows),
        ] + GrantRoutes.author, answers: [.json("Shares", in: WebSchemas.shares)]
    ) { context, request in
        let limit = try request.query.limit(100)
        let after = try request.query.value("after", "next of the previous page") { CurveKey(z85: $0) }
        let grants = try context.acting(request, repeats: false).grants
        let page = try await Problem.of { try await grants.page(.see, after: after, limit: limit) }
        return WebAnswer {
            $0.array("shares", page.grants) { writer, link in writer.object { $0.link(link) } }
            $0.field("next", page.hasMore ? page.grants.last?.digest.z85 : nil)
        }
    }

    private static let add = WebRoute(
        method: .post, template: "/v1/shares",
        summary: "Make a link to a landmark or an area; only this answer has its secret.",
        parameters: GrantRoutes.author, body: shareFields, answers: [.json("Share", in: WebSchemas.shares)],
        success: .created
    ) { context, request in
        let body = try await LandmarkBody(request)
        let (label, fence, expires) = (try body.text("label") ?? "", try body.text("fence"), try body.time("expires"))
        let (filter, showsTrack) = (try body.filter().checked(), try body.flag("track"))
        let target: Grant.Target
        if let text = try body.text("landmark") {
            let id = try UUIDv7(text).or(.invalid("The field landmark must be an id of 36 characters."))
            guard filter.isEmpty, fence == nil else {
                throw Problem.invalid("A link shows a landmark or an area: leave one out.")
            }
            target = .landmark(id)
        } else {
            let area = try await context.filter(filter, within: fence, for: request)
            guard !area.isEmpty else { throw Problem.invalid("A link needs a landmark or an area: give one.") }
            guard LandmarkFilter(area) != nil else { throw Problem.strangeArea }
            target = .area(area)
        }
        let (client, token) = (try context.acting(request, repeats: false), GrantToken())
        let link = try await Problem.of {
            try await client.grants.add(
                token, .see, target, label: label, expires: expires, showsTrack: showsTrack)
        }
        return WebAnswer {
            $0.link(link)
            $0.field("path", "/share#\(token)")
        }.unkept
    }

    private static let shareFields: [WebRoute.Parameter] =
        [
            .init(name: "landmark", help: "The id of a landmark; or else an area.", schema: WebSchemas.uuid),
            .init(name: "track", help: "Whether the landmark's track is shown, too.", schema: WebSchemas.flag),
            .init(name: "label", help: "The link's name, which is shown.", schema: WebSchemas.text(0, 64)),
            .init(
                name: "expires", help: "The end of the link, an RFC 3339 time; by hand only if it is left out.",
                schema: WebSchemas.time),
            .init(name: "fence", help: "The area, by the name of a fence.", schema: WebSchemas.name),
        ] + LandmarkBody.filterFields
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
