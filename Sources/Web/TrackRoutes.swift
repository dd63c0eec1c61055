// SPDX-License-Identifier: Apache-2.0

internal import WaymarkJSON
internal import WaymarkProtocol

/// The routes of landmarks that move.
enum TrackRoutes {
    static let all: [WebRoute] = [track, move]

    /// The parameters that ``WebQuery/trackPage()`` reads.
    static let paging: [WebRoute.Parameter] = [
        .init(
            name: "after", help: "Only points after this time (Unix milliseconds): next of the previous page.",
            schema: WebSchemas.whole),
        .init(name: "limit", help: "The most points, 1 to 10000.", schema: WebSchemas.bulkRows),
    ]

    private static let track = WebRoute(
        method: .get, template: "/v1/landmarks/{id}/track",
        summary: "A landmark's track: where it has been, oldest point first, a page at a time.",
        parameters: [
            .init(
                name: "since", help: "Only points since this RFC 3339 time.", schema: WebSchemas.time)
        ] + paging + [.format], answers: WebSchemas.Content.track
    ) { context, request in
        let (id, query) = (try request.id(), request.query)
        let since = try query.time("since") ?? 0
        let (after, limit) = try query.trackPage()
        let isGeoJSON = try request.wantsGeoJSON()
        let page = try await Problem.of {
            try await context.client.tracks.page(of: id, since: since, after: after, limit: limit)
        }
        guard isGeoJSON else { return WebAnswer { $0.fields(page, of: id) } }
        let found = try await Problem.of { try await context.client.show(id, history: 1) }
        return WebAnswer(WebAnswer.geoJSON, GeoJSON.track(page.points, of: found.landmark))
    }

    private static let move = WebRoute(
        method: .post, template: "/v1/landmarks/{id}/track",
        summary: "Move a landmark, which adds a point to its track.", parameters: WriteRoutes.author,
        body: LandmarkBody.moveFields, answers: WriteRoutes.answers, success: .created
    ) { context, request in
        let id = try request.id()
        let (place, time) = try await LandmarkBody(request).move()
        return try await WriteRoutes.written(context, request) { try await $0.move(id, to: place, at: time) }
    }
}

extension WebQuery {
    func trackPage() throws(Problem) -> (after: UInt64, limit: Int) {
        let after = try whole("after", in: 0...Int.max, or: 0)
        return (UInt64(after), try whole("limit", in: 1...WaymarkProtocol.bulkRows, or: 1_000))
    }
}

extension WebSchemas {
    static let tracks = """
        "Track":{"type":"object","required":["id","track","next"],"properties":{"id":\(uuid),"track":{"type":"array",\
        "items":{"type":"object","required":["rev","at","lat","lng"],"properties":{"rev":\(whole),"at":\(time),\
        "lat":\(latitude),"lng":\(longitude),"accuracy":{"type":"number"},"speed":{"type":"number"}}}},\
        "next":{"type":["integer","null"]}}},\
        "TrackFeature":{"type":"object","required":["type","id","geometry","properties"],"properties":{\
        "type":{"const":"Feature"},"id":\(uuid),"geometry":{"type":["object","null"],"required":["type","coordinates"],\
        "properties":{"type":{"enum":["Point","LineString","MultiLineString"]},"coordinates":{"type":"array"}}},\
        "properties":{"type":"object","required":["name","coordTimes"],"properties":{"name":\(text(1, 200)),\
        "coordTimes":{"type":"array"}}}}}
        """
}
