// SPDX-License-Identifier: Apache-2.0

extension WebSchemas {
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
