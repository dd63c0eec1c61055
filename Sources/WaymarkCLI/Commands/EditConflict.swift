// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkJSON

/// A field that both the person and somebody else have changed.
struct EditConflict: Equatable, JSONObject {
    var field: String
    var theirs: String
    var mine: String

    func fields(to writer: inout JSONWriter) {
        writer.field("field", field)
        writer.field("theirs", theirs)
        writer.field("mine", mine)
    }
}

extension WaymarkClient {
    /// Merges the person's edit with the changes that others have made to the landmark since `version`.
    func merge(_ edit: LandmarkEdit, into id: Landmark.ID, since version: UInt64) async throws -> Written {
        var present = version
        for _ in 0..<5 {
            do {
                return try await self.edit(id, edit, ifVersion: present)
            } catch {
                guard error.refusal?.code == .versionMismatch else { throw error }
            }
            let now = try await OvertakenEdit(id, since: version, asking: self)
            let conflicts = now.conflicts(with: edit)
            guard conflicts.isEmpty else { throw Failure(now, conflicts, edit) }
            present = now.landmark.version
        }
        return try await self.edit(id, edit, ifVersion: present)
    }
}

extension Failure {
    fileprivate init(_ now: OvertakenEdit, _ fields: [String], _ edit: LandmarkEdit) {
        let mine = edit.applied(to: now.landmark)
        let conflicts = fields.map {
            EditConflict(field: $0, theirs: Self.text($0, of: now.landmark), mine: Self.text($0, of: mine))
        }
        let told = conflicts.map { "\($0.field) (theirs \"\($0.theirs)\", yours \"\($0.mine)\")" }
        self.init(
            .failed, ErrorCode.versionMismatch.name,
            "Nothing was done, because others \(now.changed == nil ? "may " : "")have changed "
                + "\(told.joined(separator: ", ")): to set your values all the same, edit again with "
                + "--if-version \(now.landmark.version).")
        (version, self.conflicts) = (now.landmark.version, conflicts)
    }

    private static func text(_ field: String, of landmark: Landmark) -> String {
        switch field {
        case "name": landmark.name
        case "position": Figures.position(landmark.coordinate)
        default: Attribute(rawValue: field)?.text(of: landmark.attributes) ?? ""
        }
    }
}
