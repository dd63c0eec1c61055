// SPDX-License-Identifier: Apache-2.0

extension WebSchemas {
    static let places100 = #"{"type":"integer","minimum":1,"maximum":100}"#

    /// Of what the gazetteer answers: members of ``components``.
    static let places = """
        "Town":{"type":"object","required":["name","label","lat","lng","region","country","country_code","population",\
        "zone"],"properties":{"name":{"type":"string"},"label":{"type":"string"},"lat":\(latitude),"lng":\(longitude),\
        "region":\(textOrNull),"country":{"type":"string"},"country_code":{"type":"string"},\
        "population":{"type":"integer","minimum":0},"zone":\(textOrNull)}},\
        "Geocoded":{"type":"object","required":["landmarks","places","attribution"],"properties":{\
        "landmarks":{"type":["array","null"],"items":{"type":"object","required":["type","id","name","label","lat","lng"],\
        "properties":{"type":{"const":"landmark"},"id":\(uuid),"name":{"type":"string"},"label":{"type":"string"},\
        "lat":\(latitude),"lng":\(longitude)}}},\
        "places":{"type":"array","items":{"allOf":[\(reference("Town")),{"type":"object","required":["type","match",\
        "attribution"],"properties":{"type":{"const":"place"},"match":{"enum":["exact","prefix","typo"]},\
        "attribution":{"type":"string"}}}]}},"attribution":{"type":"string"}}},\
        "Where":{"type":"object","required":["lat","lng","dms","text","town","nearest","distance_m","bearing_deg","zone",\
        "attribution"],"properties":{"lat":\(latitude),"lng":\(longitude),"dms":{"type":"string"},"text":\(textOrNull),\
        "town":\(townOrNull),"nearest":\(townOrNull),"distance_m":{"type":["number","null"]},\
        "bearing_deg":{"type":["number","null"]},"zone":\(textOrNull),"attribution":{"type":"string"}}}
        """

    private static let textOrNull = #"{"type":["string","null"]}"#
    private static let townOrNull = "{\"anyOf\":[\(reference("Town")),{\"type\":\"null\"}]}"
}
