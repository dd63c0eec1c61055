// SPDX-License-Identifier: Apache-2.0

internal import Accounts

/// Members of ``components``, and how a request proves who asks.
extension WebSchemas {
    static let places100 = #"{"type":"integer","minimum":1,"maximum":100}"#

    /// Of what the gazetteer answers.
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
        "Where":{"type":"object","required":["lat","lng","dms","text","town","nearest","distance_m","bearing_deg","zone",\
        "attribution"],"properties":{"lat":\(latitude),"lng":\(longitude),"dms":{"type":"string"},"text":\(optionalText),\
        "town":\(townOrNull),"nearest":\(townOrNull),"distance_m":{"type":["number","null"]},\
        "bearing_deg":{"type":["number","null"]},"zone":\(optionalText),"attribution":{"type":"string"}}}
        """

    private static let townOrNull = "{\"anyOf\":[\(reference("Town")),{\"type\":\"null\"}]}"

    /// Of what the table of kinds answers.
    static let kinds = """
        "Kinds":{"type":"object","required":["kinds"],"properties":{"kinds":{"type":"array","items":{"type":"object",\
        "required":["kind","label","synonyms","tags"],"properties":{"kind":{"type":"string"},"label":{"type":"string"},\
        "synonyms":{"type":"array","items":{"type":"string"}},"tags":{"type":"array","items":{"type":"string"}}}}}}}
        """

    static let session = """
        "Session":{"type":"object","required":["accounts","account","problem"],"properties":{"accounts":{"type":"boolean"},\
        "account":{"type":["object","null"],"required":["name","number","role"],"properties":{"name":\(text(1, 64)),\
        "number":\(whole),"role":{"enum":[\(roles)]}}},"problem":{"type":["string","null"]}}}
        """

    static let credentials = """
        {"bearer":{"type":"http","scheme":"bearer"},\
        "session":{"type":"apiKey","in":"cookie","name":"__Host-waymark"}}
        """

    private static let roles = Role.allCases.map { "\"\($0.name)\"" }.joined(separator: ",")

    static let tracks = """
        "Track":{"type":"object","required":["id","track","next"],"properties":{"id":\(uuid),"track":{"type":"array",\
        "items":{"type":"object","required":["rev","at","lat","lng"],"properties":{"rev":\(whole),"at":\(time),\
        "lat":\(latitude),"lng":\(longitude)}}},"next":{"type":["integer","null"]}}},\
        "TrackFeature":{"type":"object","required":["type","id","geometry","properties"],"properties":{\
        "type":{"const":"Feature"},"id":\(uuid),"geometry":{"type":["object","null"],"required":["type","coordinates"],\
        "properties":{"type":{"enum":["Point","LineString","MultiLineString"]},"coordinates":{"type":"array"}}},\
        "properties":{"type":"object","required":["name","coordTimes"],"properties":{"name":\(text(1, 200)),\
        "coordTimes":{"type":"array"}}}}}
        """
}
