// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// Names the fields of each object in a list from which a landmark is made.
public struct FieldMapping: Hashable, Sendable, CustomStringConvertible {
    /// The field or fields that contain a row's position.
    public enum Position: Hashable, Sendable {
        /// Two fields with numbers, or with strings that contain numbers.
        case angles(latitude: FieldPath, longitude: FieldPath)
        /// One field with well-known text: `Point(151.2153 -33.8568)`, longitude first.
        case wellKnownText(FieldPath)
    }

    /// The origin of an attribute's value: a field of each row, or one value for all rows.
    public enum Origin: Hashable, Sendable {
        case field(FieldPath)
        case constant(String)
    }

    /// The path of the list of rows; empty if the whole body is the list.
    public var rows = FieldPath("")
    public var name: FieldPath
    public var position: Position
    /// The path of a row's own id. Rows without an id are identified by name and position.
    public var key: FieldPath?
    public var attributes: [Attribute: Origin] = [:]

    /// The mapping as reports show it: `mapping (rows beaches, name name, lat lat, lng lon)`.
    public var description: String { "mapping (\(fields))" }

    /// Returns the mapping with the body's syntax for the word `mapping`: `csv (name name, lat lat, lng lon)`.
    func description(of syntax: SourceDocument.Syntax) -> String {
        syntax == .json ? description : "\(syntax.rawValue) (\(fields))"
    }

    private var fields: String {
        var parts = rows.text.isEmpty ? [] : ["rows \(rows.text)"]
        parts.append("name \(name.text)")
        switch position {
        case .angles(let latitude, let longitude): parts += ["lat \(latitude.text)", "lng \(longitude.text)"]
        case .wellKnownText(let path): parts.append("wkt \(path.text)")
        }
        if let key { parts.append("key \(key.text)") }
        for attribute in Attribute.allCases {
            switch attributes[attribute] {
            case .field(let path): parts.append("\(attribute.rawValue) \(path.text)")
            case .constant(let value): parts.append("\(attribute.rawValue) =\(value)")
            case nil: break
            }
        }
        return parts.joined(separator: ", ")
    }
}

extension FieldMapping {
    /// Makes a mapping from the texts in a configuration. An attribute may have one value for all rows, which is
    /// written after an equals sign: `=beach`.
    ///
    /// - Throws: an error that names the field that is missing or superfluous.
    public init(
        rows: String? = nil, name: String?, lat: String? = nil, lng: String? = nil, wkt: String? = nil,
        key: String? = nil, attributes: [Attribute: String?] = [:]
    ) throws(FieldMappingError) {
        func path(_ text: String?) -> FieldPath? {
            guard let text, !text.isEmpty else { return nil }
            return FieldPath(text)
        }
        guard let name = path(name) else { throw .missing("name") }
        let position: Position
        if let wkt = path(wkt) {
            guard path(lat) == nil, path(lng) == nil else { throw .twoPositions }
            position = .wellKnownText(wkt)
        } else {
            guard let lat = path(lat) else { throw .missing("lat") }
            guard let lng = path(lng) else { throw .missing("lng") }
            position = .angles(latitude: lat, longitude: lng)
        }
        self.init(
            rows: FieldPath(rows ?? ""), name: name, position: position, key: path(key),
            attributes: attributes.compactMapValues { text in
                if let text, text.hasPrefix("=") {
                    .constant(String(text.dropFirst()))
                } else {
                    path(text).map { .field($0) }
                }
            })
    }
}

/// The reason why the texts are not a valid ``FieldMapping``.
public enum FieldMappingError: Error, Hashable, Sendable, CustomStringConvertible {
    case missing(String)
    case twoPositions

    /// The reason in one sentence for people.
    public var description: String {
        switch self {
        case .missing(let field): "The format mapping needs the field \(field)."
        case .twoPositions: "The format mapping takes either wkt or lat and lng, not both."
        }
    }
}
