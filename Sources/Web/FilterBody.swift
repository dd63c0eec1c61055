// SPDX-License-Identifier: Apache-2.0

internal import JSON
internal import WaymarkClient

/// The filter in the body of a request about a fence or a hook.
extension LandmarkBody {
    /// The members of a filter, for the description of the routes.
    static let filterFields: [WebRoute.Parameter] = [
        .init(name: "lat", help: "With lng and radius, a circle: its centre's latitude.", schema: WebSchemas.latitude),
        .init(name: "lng", help: "The longitude of the circle's centre.", schema: WebSchemas.longitude),
        .init(name: "radius", help: "The circle's radius in metres.", schema: WebSchemas.metres),
        .init(
            name: "within", help: "Instead of a circle: SOUTH,WEST,NORTH,EAST in degrees, or a GeoJSON polygon.",
            schema: #"{"type":["string","object"]}"#),
        .init(name: "kinds", help: "Only these kinds; left out or empty: any.", schema: WebSchemas.texts),
        .init(name: "users", help: "Only landmarks that these users added.", schema: WebSchemas.texts),
        .init(name: "sources", help: "Only landmarks from these sources.", schema: WebSchemas.texts),
    ]

    /// Returns the filter in the members ``filterFields``.
    func filter() throws -> FeedFilter {
        let within: Area? =
            switch value("within") {
            case nil, .null: nil
            case .string(let text): try WebQuery.area(text)
            case let value?: .polygon(try GeoJSONArea.polygon(value))
            }
        return FeedFilter(
            area: try WebQuery.area(try coordinate(), try number("radius"), or: within),
            kinds: try set("kinds") { $0 }, users: try set("users") { $0 }, sources: try set("sources") { $0 })
    }

    /// Returns the values of a list of texts; none if the member is missing.
    ///
    /// - Parameters:
    ///   - form: describes the values, for the error.
    ///   - read: converts a text; returns nil if it is no such value.
    func set<Value: Hashable>(
        _ name: String, of form: String = "texts", _ read: (String) -> Value?
    ) throws(Problem) -> Set<Value> {
        try value(name, "a list of \(form)") { list -> Set<Value>? in
            let values = (list.elements ?? []).compactMap { $0.string.flatMap(read) }
            return values.count == list.elements?.count ? Set(values) : nil
        } ?? []
    }

    /// Returns the parts of a fence. The other rules are those of the service.
    func fence() throws -> (name: String, filter: FeedFilter, isPrivate: Bool) {
        (try required("name"), try filter().checked(), try flag("private"))
    }
}
