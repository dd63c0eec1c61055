// SPDX-License-Identifier: Apache-2.0

internal import Gazetteer
internal import HTTPTypes
internal import WaymarkClient

/// The routes that know towns: they find the coordinates of a name, the town at a coordinate, and the towns on a map.
enum PlaceRoutes {
    static let all: [WebRoute] = [geocode, whereRoute, towns]

    private static let geocode = WebRoute(
        method: .get, template: "/v1/geocode",
        summary: "The positions that a name may mean: landmarks with these words, and towns of the world.",
        parameters: [
            .init(name: "q", isRequired: true, help: "The name, perhaps with region and country."),
            .init(
                name: "limit", help: "The most landmarks, and the most towns, 1 to 100.", schema: WebSchemas.places100),
            .latitude("Latitude in degrees; places near the position come first."), .longitude(),
            .init(name: "landmarks", help: "false: only towns.", schema: WebSchemas.flag),
        ], answers: [.json("Geocoded", in: WebSchemas.places)]
    ) { context, request in
        let query = request.query
        let text = try query.text("q", or: "give a name")
        let near = try query.coordinate()
        let limit = try query.whole("limit", in: 1...Gazetteer.mostMatches, or: 10)
        let asksForLandmarks = try query.flag("landmarks", or: true)
        let towns = try Gazetteer.configured(context.options.gazetteer).find(text, limit: limit, focus: near)
        var landmarks: [Landmark]?
        if asksForLandmarks {
            do throws(ClientError) {
                landmarks = try await context.client.search(text, near: near, limit: limit).hits.map(\.landmark)
            } catch {
                // A search refuses a text without words, and no landmark has such a name. After any other error the result
                // is unknown, which null expresses.
                if case .refused(let refusal) = error, refusal.code == .invalid { landmarks = [] }
            }
        }
        return WebAnswer {
            $0.array("landmarks", landmarks) { writer, landmark in writer.object { $0.candidate(landmark) } }
            $0.array("places", towns)
            $0.field("attribution", Gazetteer.attribution)
        }
    }

    private static let whereRoute = WebRoute(
        method: .get, template: "/v1/where", summary: "The nearest town to a position, never a street.",
        parameters: [.init(name: "at", isRequired: true, help: "LAT,LNG in degrees.")],
        answers: [.json("Where", in: WebSchemas.places)]
    ) { context, request in
        let position = try request.query.position("at", try request.query.text("at", or: "give LAT,LNG in degrees"))
        let surroundings = try Gazetteer.configured(context.options.gazetteer).surroundings(of: position)
        return WebAnswer { $0.fields(surroundings, of: position) }
    }

    private static let towns = WebRoute(
        method: .get, template: "/v1/towns/{z}/{x}/{y}",
        summary: "The most populous towns in a map tile, at most 30, the most populous first.",
        answers: [.json("Towns", in: WebSchemas.places)]
    ) { context, request in
        let towns = try Gazetteer.configured(context.options.gazetteer).towns(in: try TileRoute.askedTile(request))
        var answer = WebAnswer {
            $0.array("towns", towns) { writer, town in
                writer.object {
                    $0.field("name", town.name)
                    $0.position(town.coordinate)
                    $0.field("size", UInt64("\(town.population)".utf8.count - 1))
                }
            }
            $0.field("attribution", Gazetteer.attribution)
        }
        // The answer changes with the gazetteer only, which comes with a release or from the configuration: a day late
        // does no harm.
        answer.headers[.cacheControl] = "private, max-age=86400"
        return answer
    }
}

extension WebSchemas {
    fileprivate static let places100 = #"{"type":"integer","minimum":1,"maximum":100}"#

    /// The schemas of the gazetteer's answers.
    static let places = """
        "Town":{"type":"object","required":["name","label","lat","lng","region","country","country_code","population",\
        "zone"],"properties":{"name":{"type":"string"},"label":{"type":"string"},"lat":\(latitude),"lng":\(longitude),\
        "region":\(optionalText),"country":{"type":"string"},"country_code":{"type":"string"},\
        "population":{"type":"integer","minimum":0},"zone":\(optionalText)}},\
        "Geocoded":{"type":"object","required":["landmarks","places","attribution"],"properties":{\
        "landmarks":{"type":["array","null"],"items":{"type":"object","required":["type","id","name","label","lat","lng"],\
        "properties":{"type":{"const":"landmark"},"id":\(uuid),"name":{"type":"string"},"label":{"type":"string"},\
        "lat":\(latitude),"lng":\(longitude)}}},\
        "places":{"type":"array","items":{"allOf":[\(reference("Town")),{"type":"object","required":["type","match",\
        "attribution"],"properties":{"type":{"const":"place"},"match":{"enum":["exact","prefix","typo"]},\
        "attribution":{"type":"string"}}}]}},"attribution":{"type":"string"}}},\
        "Towns":{"type":"object","required":["towns","attribution"],"properties":{"towns":{"type":"array",\
        "maxItems":30,"items":{"type":"object","required":["name","lat","lng","size"],"properties":{"name":{"type":"string"},\
        "lat":\(latitude),"lng":\(longitude),"size":{"type":"integer","minimum":0,"maximum":9}}}},\
        "attribution":{"type":"string"}}},\
        "Where":{"type":"object","required":["lat","lng","dms","text","town","nearest","distance_m","bearing_deg","zone",\
        "attribution"],"properties":{"lat":\(latitude),"lng":\(longitude),"dms":{"type":"string"},"text":\(optionalText),\
        "town":\(townOrNull),"nearest":\(townOrNull),"distance_m":{"type":["number","null"]},\
        "bearing_deg":{"type":["number","null"]},"zone":\(optionalText),"attribution":{"type":"string"}}}
        """

    private static let townOrNull = "{\"anyOf\":[\(reference("Town")),{\"type\":\"null\"}]}"
}
