// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
internal import WaymarkJSON

/// The JSON schemas of answers, for the description of the routes. A test compares them with real answers.
enum WebSchemas {
    /// A media type and the schema of its content.
    struct Content: Sendable {
        var type: String
        /// The JSON schema; nil if the content is not JSON.
        var schema: String?
        /// Additional named schemas that the content uses, as members of an object; nil if those in ``common`` are
        /// enough.
        var named: String?

        /// - Parameters:
        ///   - name: the name of a schema in ``common`` or in `named`.
        ///   - named: additional named schemas: see ``Content/named``.
        static func json(_ name: String, in named: String? = nil) -> Content {
            Content(type: WebAnswer.json, schema: reference(name), named: named)
        }

        static func geoJSON(_ name: String) -> Content { Content(type: WebAnswer.geoJSON, schema: reference(name)) }
        static let problem = Content(type: Problem.contentType, schema: reference("Problem"))
        static let track = [json("Track", in: tracks), geoJSON("TrackFeature")]
        static let page =
            [json("Page"), geoJSON("FeatureCollection")]
            + ListForm.allCases.filter { $0 != .geojson }.map { Content(type: $0.contentType) }
    }

    static let uuid =
        #"{"type":"string","pattern":"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"}"#
    static let name = text(1, 64)
    static let texts = #"{"type":"array","items":{"type":"string"}}"#
    static let flag = #"{"type":"boolean"}"#
    static let latitude = #"{"type":"number","minimum":-90,"maximum":90}"#
    static let longitude = #"{"type":"number","minimum":-180,"maximum":180}"#
    static let metres = #"{"type":"number","minimum":0}"#
    static let rows = #"{"type":"integer","minimum":1,"maximum":1000}"#
    static let listRows = #"{"type":"integer","minimum":1,"maximum":\#(HitsAnswer.mostRows)}"#
    static let bulkRows = #"{"type":"integer","minimum":1,"maximum":10000}"#
    static let listFormat = #"{"type":"string","enum":["json","geojson","kml","gpx","csv"]}"#
    static let format = #"{"type":"string","enum":["json","geojson"]}"#
    static let sort = #"{"type":"string","enum":["recent","name","distance"]}"#
    static let rank = #"{"type":"string","enum":["distance","prominence"]}"#
    static let currency = #"{"type":"string","pattern":"^[A-Za-z]{3}$"}"#
    /// A decimal number as a string, because many JSON readers would drop digits of a number.
    static let decimal = #"{"type":"string","pattern":"^-?[0-9]{1,12}(\\.[0-9]{1,6})?$"}"#

    static func text(_ least: Int, _ most: Int) -> String {
        #"{"type":"string","minLength":\#(least),"maxLength":\#(most)}"#
    }

    /// The named schemas that several routes share, as members of an object. All others are next to their routes.
    static let common = """
        "Landmark":{"type":"object","required":["id","name","lat","lng","kind","link","user","source",\(attributeNames),"notes",\
        "version","rev","created","updated"],"properties":{"id":\(uuid),"name":\(text(1, 200)),"lat":\(latitude),\
        "lng":\(longitude),\(details)}},\
        "Measures":{"type":"object","properties":{"distance_m":\(metres),"bearing_deg":\(bearing),\
        "opening":\(opening)}},\
        "Page":{"type":"object","required":["landmarks","cursor","truncated","epoch","rev","storage_away"],"properties":{\
        "landmarks":{"type":"array","items":{"allOf":[\(reference("Landmark")),\(reference("Measures"))]}},\
        "cursor":\(optionalText),"truncated":{"type":"boolean"},"opening_at":\(time),"epoch":\(uuid),"rev":\(whole),\
        "storage_away":{"type":"boolean"}}},\
        "LandmarkWithHistory":{"allOf":[\(reference("Landmark")),{"type":"object","required":["history","history_cut"],\
        "properties":{"history":{"type":"array","items":\(reference("HistoryEntry"))},\
        "history_cut":{"type":"boolean"}}}]},\
        "HistoryEntry":{"type":"object","required":["rev","at","op","user","version","changed"],"properties":{\
        "rev":\(whole),"at":\(time),"op":{"enum":["added","changed","removed","noted"]},"user":\(optionalText),\
        "version":\(whole),"changed":{"type":["array","null"],"items":{"type":"string"}}}},\
        "Feature":{"type":"object","required":["type","id","geometry","properties"],"properties":{\
        "type":{"const":"Feature"},"id":\(uuid),"geometry":{"type":"object","required":["type","coordinates"],\
        "properties":{"type":{"const":"Point"},"coordinates":{"type":"array","items":{"type":"number"},"minItems":2,\
        "maxItems":2}}},"properties":{"type":"object","required":["name"],"properties":{"name":\(text(1, 200)),\
        \(details),"distance_m":\(metres),"bearing_deg":\(bearing),"opening":\(opening)}}}},\
        "FeatureCollection":{"type":"object","required":["type","features"],"properties":{\
        "type":{"const":"FeatureCollection"},"features":{"type":"array","items":\(reference("Feature"))},\
        "links":{"type":"array","items":{"type":"object","required":["rel","type","href"],"properties":{\
        "rel":{"const":"next"},"type":{"type":"string"},"href":{"type":"string","format":"uri-reference"}}}}}},\
        "Written":{"type":"object","required":["id","rev","version","note","unchanged"],"properties":{"id":\(uuid),\
        "rev":\(whole),"version":\(whole),"note":{"anyOf":[\(uuid),{"type":"null"}]},\
        "unchanged":{"type":"boolean"}}},\
        "Place":{"anyOf":[\(reference("Landmark")),{"type":"object","required":["lat","lng"],"properties":{\
        "lat":\(latitude),"lng":\(longitude)}}]},\
        "Separation":{"type":"object","required":["distance_m","bearing_deg","from","to"],"properties":{\
        "distance_m":\(metres),"bearing_deg":\(bearing),"from":\(reference("Place")),"to":\(reference("Place"))}},\
        "Status":{"type":"object","required":["query","storage"],"properties":{"query":{"type":["object","null"]},\
        "storage":{"type":["object","null"]}}},\
        "Problem":{"type":"object","required":["type","title","status","code","detail"],"properties":{\
        "type":{"type":"string"},"title":{"type":"string"},"status":{"type":"integer"},"code":{"type":"string"},\
        "detail":{"type":"string"},"version":\(whole),\
        "changed":\(texts),"floor":\(whole),"head":\(whole)}}
        """

    static func reference(_ name: String) -> String { ##"{"$ref":"#/components/schemas/\##(name)"}"## }

    /// Returns the schema of an attribute in an answer.
    static func schema(_ attribute: Attribute) -> String {
        guard case .number(_, let range) = attribute.form else { return optionalText }
        let type = attribute.isWhole ? "integer" : "number"
        return #"{"type":["\#(type)","null"],"minimum":\#(Int(range.lowerBound)),"maximum":\#(Int(range.upperBound))}"#
    }

    private static let attributeNames = Attribute.following.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
    private static let attributes = Attribute.following.map { "\"\($0.rawValue)\":\(schema($0))" }
        .joined(separator: ",")

    static let day = #"{"type":"string","format":"date"}"#
    static let whole = #"{"type":"integer","minimum":0}"#
    private static let bearing = #"{"type":["number","null"]}"#
    private static let opening = """
        {"type":["object","null"],"required":["state","until","until_local","zone","zone_assumed","comment"],\
        "properties":{"state":{"enum":["open","closed","unknown"]},"until":{"type":["string","null"],\
        "format":"date-time"},"until_local":\(optionalText),"zone":\(optionalText),\
        "zone_assumed":{"type":"boolean"},"comment":\(optionalText)}}
        """
    static let time = #"{"type":"string","format":"date-time"}"#
    static let optionalText = #"{"type":["string","null"]}"#
    /// The members that a landmark has both in JSON and in GeoJSON.
    private static let details = """
        "kind":\(optionalText),"link":\(optionalText),"user":\(optionalText),"account":\(whole),"source":{"type":["object","null"],\
        "required":["name","key"],"properties":{"name":{"type":"string"},"key":{"type":"string"}}},\
        \(attributes),"notes":{"type":"array","items":{"type":"object",\
        "required":["id","text","user","at"],"properties":{"id":\(uuid),"text":{"type":"string"},\
        "user":\(optionalText),"account":\(whole),"at":\(time)}}},"version":\(whole),"rev":\(whole),"created":\(time),"updated":\(time)
        """
}
