// SPDX-License-Identifier: Apache-2.0

internal import WaymarkClient
internal import WaymarkJSON
internal import WaymarkProtocol

/// The routes that only read.
enum ReadRoutes {
    static let all: [WebRoute] = [near, list, one, search, distance, status]

    private typealias Parameter = WebRoute.Parameter
    private static let filters = Parameter.filters + [Parameter.listFormat]
    private static let openings = [
        Parameter(
            name: "open", help: "Only landmarks that are known to be open: now, or at an RFC 3339 time."),
        Parameter(
            name: "hours", help: "Say whether each landmark is open: now, or at an RFC 3339 time."),
    ]
    static let limit = WebRoute.Parameter(
        name: "limit", help: "The most rows, 1 to 1000.", schema: WebSchemas.rows)
    private static let listLimit = Parameter(
        name: "limit",
        help: "The most rows, 1 to 1000; in other formats than JSON up to \(HitsAnswer.mostRows), in one document.",
        schema: WebSchemas.listRows)
    private static let cursor = Parameter(name: "cursor", help: "The cursor of the previous page.")

    private static let near = WebRoute(
        method: .get, template: "/v1/near", summary: "The landmarks nearest to a position, nearest first.",
        parameters: [
            Parameter.latitude(isRequired: true), Parameter.longitude(isRequired: true), listLimit, cursor,
            Parameter(name: "radius", help: "The greatest distance in metres.", schema: WebSchemas.metres),
            Parameter(name: "min_distance", help: "The least distance in metres.", schema: WebSchemas.metres),
            Parameter(
                name: "rank", help: "distance, or prominence within a radius of up to 48280 m.",
                schema: WebSchemas.rank),
        ] + openings + filters, answers: WebSchemas.Content.page
    ) { context, request in
        let query = request.query
        let filter = try await context.filter(request)
        let place = try query.coordinate().or(
            .invalid("The parameters lat and lng are missing: give the position in degrees."))
        let (radius, least) = (try query.number("radius"), try query.number("min_distance"))
        let rank: NearRank = try query.value("rank", "distance or prominence") { NearRank(rawValue: $0) } ?? .distance
        let opening = try query.opening()
        return try await HitsAnswer.list(request, at: "/v1/near", context, or: 20, isMeasured: true) { limit, cursor in
            try await context.client.near(
                place, limit: limit, radius: radius, minDistance: least, rank: rank, filter: filter, opening: opening,
                after: cursor)
        }
    }

    private static let list = WebRoute(
        method: .get, template: "/v1/landmarks", summary: "All landmarks, a page at a time.",
        parameters: [
            Parameter(
                name: "sort", help: "recent (changed last first), name, or distance (from lat and lng).",
                schema: WebSchemas.sort), listLimit, cursor, Parameter.latitude(), Parameter.longitude(),
        ] + openings + filters, answers: WebSchemas.Content.page
    ) { context, request in
        let query = request.query
        let filter = try await context.filter(request)
        let place = try query.coordinate()
        let order: ListOrder =
            switch query.text("sort") {
            case nil: place == nil ? .byRecent : .byDistance
            case "recent": .byRecent
            case "name": .byName
            case "distance" where place != nil: .byDistance
            case .some: throw Problem.invalid("The parameter sort must be recent, name, or distance with lat and lng.")
            }
        let opening = try query.opening()
        return try await HitsAnswer.list(request, at: "/v1/landmarks", context, or: 100, isMeasured: place != nil) {
            limit, cursor in
            try await context.client.list(
                order, near: place, limit: limit, filter: filter, opening: opening, after: cursor)
        }
    }

    private static let search = WebRoute(
        method: .get, template: "/v1/search", summary: "Landmarks by words in their name, user and notes.",
        parameters: [
            Parameter(name: "q", isRequired: true, help: "The words, whole or only their beginnings."), limit,
            Parameter.latitude(), Parameter.longitude(),
        ] + filters, answers: WebSchemas.Content.page
    ) { context, request in
        let query = request.query
        let filter = try await context.filter(request)
        let text = try query.text("q", or: "give the words")
        let (place, limit) = (try query.coordinate(), try query.limit(20))
        let page = try await Problem.of {
            try await context.client.search(text, near: place, limit: limit, filter: filter)
        }
        return try HitsAnswer.of(page, isMeasured: place != nil, request.listForm(), next: nil)
    }

    private static let one = WebRoute(
        method: .get, template: "/v1/landmarks/{id}", summary: "A landmark with its notes and its history.",
        parameters: [
            Parameter(
                name: "history", help: "The most entries of the history, 1 to 1000.", schema: WebSchemas.rows), .format,
        ], answers: [.json("LandmarkWithHistory"), .geoJSON("Feature")]
    ) { context, request in
        let id = try request.id()
        let count = try request.query.whole("history", in: 1...1_000, or: 100)
        let isGeoJSON = try request.wantsGeoJSON()
        let found = try await Problem.of { try await context.client.show(id, history: count) }
        var answer: WebAnswer
        if isGeoJSON {
            answer = WebAnswer(WebAnswer.geoJSON, GeoJSON.feature(Hit(landmark: found.landmark)))
        } else {
            let changes = await found.entries.changes(asking: context.client, atMost: 20)
            answer = WebAnswer { $0.fields(found, changes) }
        }
        answer.headers[.eTag] = EntityTag.version(found.landmark.version)
        return answer
    }

    private static let distance = WebRoute(
        method: .get, template: "/v1/distance", summary: "Metres and bearing between two landmarks or positions.",
        parameters: [
            Parameter(name: "from", isRequired: true, help: "LAT,LNG in degrees, or the id of a landmark."),
            Parameter(name: "to", isRequired: true, help: "LAT,LNG in degrees, or the id of a landmark."),
        ], answers: [.json("Separation")]
    ) { context, request in
        let (from, to) = (try request.query.place("from"), try request.query.place("to"))
        let separation = try await Problem.of { try await context.client.distance(from: from, to: to) }
        return WebAnswer { $0.fields(separation, from: from, to: to) }
    }

    private static let status = WebRoute(
        method: .get, template: "/v1/status", summary: "The state of both services.", answers: [.json("Status")]
    ) { context, _ in
        let report = try await Problem.of { try await context.client.status() }
        return WebAnswer { $0.fields(report) }
    }
}

extension WebQuery {
    fileprivate func place(_ name: String) throws(Problem) -> PlaceReference {
        let text = try text(name).or(.invalid("The parameter \(name) is missing."))
        if let id = UUIDv7(text) { return .landmark(id) }
        return .point(try position(name, text))
    }

    func position(_ name: String, _ text: String) throws(Problem) -> Coordinate {
        do throws(PositionTextError) { return try PositionText.coordinate(text) } catch {
            throw Problem.invalid("The parameter \(name): \(error.description)")
        }
    }
}
