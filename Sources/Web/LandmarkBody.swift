// SPDX-License-Identifier: Apache-2.0

internal import Geodesy
internal import JSON
internal import Landmarks

/// The body of a request that adds or changes something, or that signs a person in. Its members have the names that the
/// description of the route lists, which are those of answers.
struct LandmarkBody {
    private let members: [JSONMember]

    /// - Parameter most: the maximum size of the body in bytes.
    /// - Throws: ``Problem`` for a member that the description of the route does not have, or that is there twice.
    init(_ request: WebRequest, upTo most: Int = WebRequest.bodyBytes) async throws(Problem) {
        members = try await request.json(upTo: most)
        var names: Set<String> = []
        for name in members.map(\.name) {
            guard request.fields.contains(name) else {
                throw Problem.invalid("The body has an unknown field \(name.prefix(40)): see /v1/openapi.json.")
            }
            guard names.insert(name).inserted else {
                throw Problem.invalid("The field \(name.prefix(40)) is there twice: give it once.")
            }
        }
    }

    /// Returns the members of the body, for the description of the route.
    static func fields(isNew: Bool) -> [WebRoute.Parameter] {
        [
            .init(
                name: "name", isRequired: isNew, help: "The name, 1 to 200 characters.",
                schema: WebSchemas.text(1, 200)),
            .latitude(isRequired: isNew), .longitude(isRequired: isNew),
        ]
            + Attribute.allCases.map { attribute in
                let schema =
                    switch attribute.form {
                    case .text(_, let most): #"{"type":["string","null"],"maxLength":\#(most)}"#
                    case .number: WebSchemas.schema(attribute)
                    }
                return .init(name: attribute.rawValue, help: attribute.help + ".", schema: schema)
            } + (isNew ? newFields : [])
    }

    private static let newFields: [WebRoute.Parameter] = [
        .init(name: "note", help: "A first note.", schema: WebSchemas.text(1, 10_000)),
        .init(name: "expires", help: "When the landmark is removed, an RFC 3339 time.", schema: WebSchemas.time),
    ]

    func draft() throws -> (LandmarkDraft, note: String?, expires: UInt64?) {
        guard let name = try text("name"), let coordinate = try coordinate() else {
            throw Problem.invalid("The body lacks name, lat or lng.")
        }
        let attributes = try attributes().values
        let note = try text("note").map { try LandmarkRules.note($0) }
        let draft = try LandmarkDraft(name: name, coordinate: coordinate, attributes: attributes)
        return (draft, note, try time("expires"))
    }

    func edit() throws -> LandmarkEdit {
        guard value("name") != .null else { throw Problem.invalid("The field name cannot be cleared.") }
        let (values, cleared) = try attributes()
        let (name, coordinate) = (try text("name"), try coordinate())
        return try LandmarkEdit(name: name, coordinate: coordinate, attributes: values, cleared: cleared)
    }

    /// The members of the body of a move, for the description of the route.
    static let moveFields: [WebRoute.Parameter] = [
        .latitude(isRequired: true), .longitude(isRequired: true),
        .init(
            name: "at", help: "When the landmark was there, as an RFC 3339 time; now if it is left out.",
            schema: WebSchemas.time),
    ]

    /// - Returns: the new coordinate, and its time in Unix milliseconds; nil for the present time.
    func move() throws -> (Coordinate, at: UInt64?) {
        guard let place = try coordinate() else { throw Problem.invalid("The body lacks lat or lng.") }
        return (place, try time("at"))
    }

    func note() throws -> String {
        try LandmarkRules.note(try required("text"))
    }

    func value(_ name: String) -> JSONValue? { members.first { $0.name == name }?.value }

    /// Returns the value of a member; nil if the member is missing, or null.
    ///
    /// - Parameters:
    ///   - form: describes the form of the value, for the error.
    ///   - read: converts the value; returns nil if the value does not have this form.
    func value<Value>(
        _ name: String, _ form: @autoclosure () -> String, _ read: (JSONValue) -> Value?
    ) throws(Problem) -> Value? {
        guard let given = value(name), !given.isNull else { return nil }
        guard let value = read(given) else { throw Problem.invalid("The field \(name) must be \(form()).") }
        return value
    }

    func text(_ name: String) throws(Problem) -> String? {
        try value(name, "a text") { $0.string }
    }

    func required(_ name: String) throws(Problem) -> String {
        try text(name).or(.invalid("The body lacks \(name)."))
    }

    func number(_ name: String) throws(Problem) -> Double? {
        try value(name, "a number") { given -> Double? in
            guard case .number(let digits) = given, let number = Double(digits) else { return nil }
            return number.isFinite ? number : nil
        }
    }

    func flag(_ name: String, or standard: Bool = false) throws(Problem) -> Bool {
        try value(name, "true or false") { given -> Bool? in
            if case .bool(let flag) = given { flag } else { nil }
        } ?? standard
    }

    /// Returns a time in Unix milliseconds.
    func time(_ name: String) throws(Problem) -> UInt64? {
        try value(name, "an RFC 3339 time such as 2026-03-01T09:30:00Z") { given in
            given.string.flatMap { Timestamp.milliseconds(rfc3339: $0) }.flatMap { $0 > 0 ? $0 : nil }
        }
    }

    func coordinate() throws -> Coordinate? {
        guard let latitude = try number("lat"), let longitude = try number("lng") else {
            guard value("lat") == nil, value("lng") == nil else {
                throw Problem.invalid("The fields lat and lng together are a position: give both.")
            }
            return nil
        }
        return try Coordinate(writtenLatitude: latitude, longitude: longitude)
    }

    private func attributes() throws -> (values: Attributes, cleared: Set<Attribute>) {
        var (attributes, cleared): (Attributes, Set<Attribute>) = (Attributes(), [])
        for attribute in Attribute.allCases {
            guard let value = value(attribute.rawValue) else { continue }
            let text: String
            switch (value, attribute.form) {
            case (.null, _): text = ""
            case (.string(let given), .text), (.number(let given), .number): text = given
            default: throw Problem.invalid("The field \(attribute.rawValue) has the wrong type.")
            }
            if !text.isEmpty { try attributes.set(attribute, to: text) }
            if attributes[attribute] == nil { cleared.insert(attribute) }
        }
        return (attributes, cleared)
    }
}

extension JSONValue {
    /// The text of a string, as it is; nil for any other value.
    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
