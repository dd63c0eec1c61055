// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkJSON

/// The format of a line as a person writes it: `{rev} {op} {name}`.
struct ChangeTemplate: Hashable, Sendable {
    private enum Field: String, CaseIterable, Sendable {
        case rev, op, name, lat, lng, user, id, time, epoch, source, version
    }

    /// The fields in braces, for the help and error messages.
    static let fields = (Field.allCases.map(\.rawValue) + Attribute.allCases.map(\.rawValue)).map { "{\($0)}" }
        .joined(separator: " ")

    private enum Part: Hashable, Sendable {
        case text(String)
        case field(Field)
        case attribute(Attribute)
    }

    private var parts: [Part] = []

    /// - Parameter text: the template. It may contain `{field}`, `\n`, `\t` and `\\`; `{{` and `}}` stand for braces.
    /// - Throws: ``BadValue`` if the template is not valid.
    init(_ text: String) throws {
        var literal = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "{" where rest.first == "{", "}" where rest.first == "}", "\\" where rest.first == "\\":
                rest.removeFirst()
                literal.append(character)
            case "\\" where rest.first == "n" || rest.first == "t":
                literal.append(rest.removeFirst() == "n" ? "\n" : "\t")
            case "\\": throw BadValue(#"a template knows \n, \t and \\, and no other backslash."#)
            case "{":
                guard let end = rest.firstIndex(of: "}") else { throw BadValue("a { of the template has no }.") }
                parts.append(.text(literal))
                literal = ""
                parts.append(try Self.field(rest[..<end]))
                rest = rest[end...].dropFirst()
            case "}": throw BadValue("a } of the template has no {: write }} for the character.")
            default: literal.append(character)
            }
        }
        parts.append(.text(literal))
    }

    /// Returns the line for a change, without a line end.
    ///
    /// - Parameters:
    ///   - position: the position of the change or of the snapshot.
    ///   - user: the user who made the change.
    func line(_ landmark: Landmark, _ position: Position, operation: String, user: String, at time: UInt64) -> String {
        parts.map { part in
            switch part {
            case .text(let text): return text
            case .attribute(let attribute): return Escaping.visible(attribute.text(of: landmark.attributes))
            case .field(let field):
                let value =
                    switch field {
                    case .rev: String(position.rev)
                    case .op: operation
                    case .name: landmark.name
                    case .lat: Figures.number(landmark.coordinate.latitude)
                    case .lng: Figures.number(landmark.coordinate.longitude)
                    case .user: user
                    case .id: landmark.id.description
                    case .time: Timestamp.rfc3339(time)
                    case .epoch: position.epoch.description
                    case .source: landmark.source?.name ?? ""
                    case .version: String(landmark.version)
                    }
                return Escaping.visible(value)
            }
        }.joined()
    }

    private static func field(_ name: Substring) throws -> Part {
        if let field = Field(rawValue: String(name)) { return .field(field) }
        if let attribute = Attribute(rawValue: String(name)) { return .attribute(attribute) }
        throw BadValue("a template has no field {\(Escaping.visible(String(name)))}; there are \(fields).")
    }
}
