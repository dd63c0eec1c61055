// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import WaymarkClient
internal import WaymarkJSON

/// The routes for whoever has a link: they need no account, and change nothing. The link's secret is the bearer.
enum SharedRoutes {
    static let all: [WebRoute] = [shared, track, changes]

    private static let shared = WebRoute(
        method: .get, template: "/v1/shared", summary: "What a link shows now; the bearer is the link's secret.",
        answers: [.json("Shared", in: WebSchemas.shared)], isOpen: true
    ) { context, request in
        let view = try await linked(context, request).view(context.client)
        return WebAnswer { $0.fields(view) }.unkept
    }

    private static let track = WebRoute(
        method: .get, template: "/v1/shared/track",
        summary: "The track of a link's landmark, oldest point first, without private places.",
        parameters: TrackRoutes.paging, answers: [.json("SharedTrack", in: WebSchemas.shared)], isOpen: true
    ) { context, request in
        let (after, limit) = try request.query.trackPage()
        let link = try await linked(context, request)
        guard let id = link.grant.landmark, link.grant.showsTrack else {
            throw Problem(.notFound, "not_found", "This link shows no track.")
        }
        var subject = FilterSubject(try await Problem.of { try await context.client.show(id, history: 1) }.landmark)
        let page = try await Problem.of { try await context.client.tracks.page(of: id, after: after, limit: limit) }
        let points = page.points.filter { point in
            subject.coordinate = point.coordinate
            return !link.hides(subject)
        }
        return WebAnswer {
            $0.array("track", points) { writer, point in
                writer.object {
                    $0.field("at", time: point.at)
                    $0.position(point.coordinate)
                }
            }
            $0.field("next", page.next)
        }.unkept
    }

    private static let changes = WebRoute(
        method: .get, template: "/v1/shared/changes",
        summary: "What a link shows and each change, as server-sent events: shared, changed, left, ended.",
        answers: [.init(type: "text/event-stream")], isOpen: true
    ) { context, request in
        let (link, network) = (try await linked(context, request), request.network)
        guard context.hub.hasRoom(for: network), context.links.hasRoom(for: link) else {
            context.hub.metrics.refusedReader()
            throw Problem.tooManyStreams
        }
        return WebAnswer("text/event-stream") { try await link.stream(to: &$0, from: network, context) }.unkept
    }

    /// - Throws: ``Problem`` if the request brings no link, or one that has ended.
    private static func linked(_ context: WebContext, _ request: WebRequest) async throws(Problem) -> SharedLink {
        try WebGate.check(request.origin)
        let bearer = request.headers[.authorization] ?? ""
        guard bearer.lowercased().hasPrefix("bearer "), let digest = GrantToken(bearer.dropFirst(7))?.digest,
            let link = try await Problem.of({ try await SharedLink.find(digest, context.client) })
        else { throw .linkEnded }
        return link
    }
}

extension WebSchemas {
    fileprivate static let shared = """
        "SharedLandmark":{"type":"object","required":["id","name","kind","updated"],"properties":{"id":\(uuid),\
        "name":\(text(1, 200)),"kind":\(optionalText),"lat":\(latitude),"lng":\(longitude),\
        "private":{"const":true},"updated":\(time)}},\
        "Shared":{"type":"object","required":["kind","label","now","until","track","private"],"properties":{\
        "kind":{"enum":["landmark","area"]},"label":{"type":"string"},"now":\(time),"until":\(optionalText),\
        "track":{"type":"boolean"},"landmark":\(reference("SharedLandmark")),"landmarks":{"type":"array",\
        "items":\(reference("SharedLandmark"))},"more":{"type":"boolean"},"private":{"type":"boolean"}}},\
        "SharedTrack":{"type":"object","required":["track","next"],"properties":{"track":{"type":"array",\
        "items":{"type":"object","required":["at","lat","lng"],"properties":{"at":\(time),"lat":\(latitude),\
        "lng":\(longitude)}}},"next":{"type":["integer","null"]}}}
        """
}
