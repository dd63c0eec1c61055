// SPDX-License-Identifier: Apache-2.0

internal import Gazetteer
internal import Geodesy
internal import Landmarks
internal import WaymarkClient
internal import WaymarkJSON

/// The routes that know towns: a name's positions, and a position's town.
enum PlaceRoutes {
    static let all: [WebRoute] = [geocode, whereRoute]

    private typealias Parameter = WebRoute.Parameter

    private static let geocode = WebRoute(
        method: .get, template: "/v1/geocode",
        summary: "The positions that a name may mean: landmarks with these words, and towns of the world.",
        parameters: [
            Parameter(name: "q", isRequired: true, help: "The name, perhaps with region and country."),
            Parameter(
                name: "limit", help: "The most landmarks and the most towns, 1 to 100.", schema: WebSchemas.places100),
            Parameter(name: "lat", help: "Latitude in degrees; what is near comes first.", schema: WebSchemas.latitude),
            Parameter(name: "lng", help: "Longitude in degrees.", schema: WebSchemas.longitude),
            Parameter(name: "landmarks", type: "boolean", help: "false: only towns."),
        ], answers: [.json("Geocoded")]
    ) { context, request, _ throws(Problem) in
        let query = request.query
        guard let text = query.text("q") else { throw Problem.invalid("The parameter q is missing: give a name.") }
        let near = try query.coordinate()
        let limit = try query.whole("limit", in: 1...Gazetteer.mostMatches, or: 10)
        let asksForLandmarks = query.text("landmarks") == nil ? true : try query.flag("landmarks")
        let towns = try gazetteer(context).find(text, limit: limit, focus: near.map { PlaceFocus(centre: $0) })
        var landmarks: [Landmark]? = asksForLandmarks ? [] : nil
        if asksForLandmarks {
            do throws(ClientError) {
                landmarks = try await context.client.search(text, near: near, limit: limit).hits.map(\.landmark)
            } catch {
                // Words that a search refuses are in no landmark. Without an answer, nobody knows: null says so.
                if case .refused = error {} else { landmarks = nil }
            }
        }
        return WebAnswer(
            json: JSONWriter.line { writer in
                writer.key("landmarks")
                if let landmarks {
                    writer.array(landmarks) { writer, landmark in writer.object { $0.candidate(landmark) } }
                } else {
                    writer.null()
                }
                writer.key("places")
                writer.array(towns) { writer, town in writer.object { $0.fields(town) } }
                writer.field("attribution", Gazetteer.attribution)
            })
    }

    private static let whereRoute = WebRoute(
        method: .get, template: "/v1/where", summary: "Where a position is: the nearest town, never a street.",
        parameters: [Parameter(name: "at", isRequired: true, help: "LAT,LNG in degrees.")], answers: [.json("Where")]
    ) { context, request, _ throws(Problem) in
        guard let text = request.query.text("at") else {
            throw Problem.invalid("The parameter at is missing: give LAT,LNG in degrees.")
        }
        let position: Coordinate
        do throws(PositionTextError) { position = try PositionText.coordinate(text) } catch {
            throw Problem.invalid("The parameter at: \(error.description)")
        }
        let surroundings = try gazetteer(context).surroundings(of: position)
        return WebAnswer(json: JSONWriter.line { $0.fields(surroundings, of: position) })
    }

    private static func gazetteer(_ context: WebContext) throws(Problem) -> Gazetteer {
        do throws(GazetteerError) { return try Gazetteer.configured(context.options.gazetteer) } catch {
            throw Problem(.internalServerError, "internal", "\(error)")
        }
    }
}
