// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
internal import WaymarkClient
internal import WaymarkProtocol

/// The fields of a landmark as texts, for forms that know nothing else.
extension HitView {
    /// Returns the names of the fields: the keys of JSON, with the name of a source in place of both its members.
    static func fields(isMeasured: Bool, tellsOpening: Bool) -> [String] {
        var names = ["id", "name", "lat", "lng"] + Attribute.leading.map(\.rawValue)
        names += ["user", "source"] + Attribute.following.map(\.rawValue)
        names += ["notes", "version", "rev", "created", "updated"]
        if isMeasured { names += ["distance_m", "bearing_deg"] }
        return tellsOpening ? names + ["opening"] : names
    }

    /// Returns the values in the order of the names. Notes are joined by line feeds.
    func values(isMeasured: Bool, tellsOpening: Bool) -> [String] {
        var values = [landmark.id?.description ?? "", Self.text(landmark.name)]
        values += [XMLText.degrees(landmark.lat), XMLText.degrees(landmark.lng)] + Attribute.leading.map(value)
        values += [Self.text(landmark.user), Self.text(landmark.source?.name)] + Attribute.following.map(value)
        values += [notes, "\(landmark.version)", "\(landmark.rev)"]
        values += [landmark.created, landmark.updated].map(Timestamp.rfc3339)
        if isMeasured { values += [distance, bearing].map { $0?.description ?? "" } }
        return tellsOpening ? values + [opening?.state.rawValue ?? ""] : values
    }

    var notes: String { landmark.notes.map { Self.text($0.text) }.joined(separator: "\n") }

    func value(_ attribute: Attribute) -> String {
        switch landmark.value(of: attribute) {
        case .bytes(let bytes)?: return Self.text(bytes)
        case .fixed64(let bits)?:
            let number = Double(bitPattern: bits)
            return Int64(exactly: number).map { "\($0)" } ?? number.description
        default: return ""
        }
    }

    static func text(_ utf8: UnsafeRawBufferPointer?) -> String {
        utf8.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
