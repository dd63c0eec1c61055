// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
internal import WaymarkClient
internal import WaymarkJSON
internal import WaymarkProtocol

/// The routes of landmarks that move.
enum TrackRoutes {
    static let all: [WebRoute] = [track, move]

    private typealias Parameter = WebRoute.Parameter

    private static let track = WebRoute(
        method: .get, template: "/v1/landmarks/{id}/track",
        summary: "Where a landmark has been, by its moves, oldest first, a page at a time.",
        parameters: [
            Parameter(
                name: "since", help: "Only points of this time and later, of RFC 3339.", schema: WebSchemas.time),
            Parameter(
                name: "after", help: "Only points after this revision: next of the page before.",
                schema: WebSchemas.whole),
            Parameter(name: "limit", help: "The most points, 1 to 10000.", schema: WebSchemas.bulkRows),
            Parameter(name: "format", help: "json or geojson.", schema: WebSchemas.format),
        ], answers: WebSchemas.Content.track
    ) { context, request, path throws(Problem) in
        let (id, query) = (try path.id("id"), request.query)
        let since = try query.time("since") ?? 0
        let after = try query.whole("after", in: 0...Int.max, or: 0)
        let limit = try query.whole("limit", in: 1...WaymarkProtocol.bulkRows, or: 1_000)
        let isGeoJSON = try request.wantsGeoJSON()
        let page = try await Problem.of { () throws(ClientError) in
            try await context.client.track(of: id, since: since, after: UInt64(after), limit: limit)
        }
        guard isGeoJSON else { return WebAnswer(json: JSONWriter.line { $0.fields(page, of: id) }) }
        let found = try await Problem.of { () throws(ClientError) in try await context.client.show(id, history: 1) }
        return WebAnswer(WebAnswer.geoJSON, GeoJSON.track(page.points, of: found.landmark))
    }

    private static let move = WebRoute(
        method: .post, template: "/v1/landmarks/{id}/track",
        summary: "Say where a landmark is now, which adds a point to its track.", parameters: WriteRoutes.author,
        body: LandmarkBody.moveFields, answers: WriteRoutes.answers, isCreating: true
    ) { context, request, path throws(Problem) in
        let id = try path.id("id")
        let (place, time) = try await LandmarkBody(request).move()
        return try await WriteRoutes.written(context, request) { (client) throws(ClientError) in
            try await client.move(id, to: place, at: time)
        }
    }
}
