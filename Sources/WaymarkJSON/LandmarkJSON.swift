// SPDX-License-Identifier: Apache-2.0

internal import Geodesy
package import Landmarks
package import WaymarkClient
package import WaymarkProtocol

/// The JSON of landmarks and changes. Programs rely on the keys and their order.
extension JSONWriter {
    /// `id name lat lng`, then as ``details(_:)``.
    package mutating func fields(_ landmark: Landmark) {
        field("id", landmark.id)
        field("name", landmark.name)
        field("lat", landmark.coordinate.latitude)
        field("lng", landmark.coordinate.longitude)
        details(landmark)
    }

    /// `kind link user source`, the other attributes, `notes version rev created updated`.
    package mutating func details(_ landmark: Landmark) {
        fields(Attribute.leading, of: landmark.attributes)
        field("user", landmark.user.nilIfEmpty)
        if landmark.account > 0 { field("account", landmark.account) }
        key("source")
        if let source = landmark.source {
            object {
                $0.field("name", source.name)
                $0.field("key", source.key)
            }
        } else {
            null()
        }
        fields(Attribute.following, of: landmark.attributes)
        key("notes")
        array(landmark.notes) { writer, note in
            writer.object {
                $0.field("id", note.id)
                $0.field("text", note.text)
                $0.field("user", note.user.nilIfEmpty)
                if note.account > 0 { $0.field("account", note.account) }
                $0.field("at", time: note.at)
            }
        }
        field("version", landmark.version)
        field("rev", landmark.rev)
        field("created", time: landmark.created)
        field("updated", time: landmark.updated)
    }

    package mutating func object(_ name: String, _ landmark: Landmark?) {
        key(name)
        if let landmark { object { $0.fields(landmark) } } else { null() }
    }

    /// A landmark's fields; if `isMeasured`, followed by `distance_m bearing_deg`; if `tellsOpening`, by `opening`.
    package mutating func fields(_ hit: Hit, isMeasured: Bool, tellsOpening: Bool = false) {
        fields(hit.landmark)
        if isMeasured { measures(hit) }
        if tellsOpening { opening(hit) }
    }

    /// `distance_m bearing_deg`.
    package mutating func measures(_ hit: Hit) {
        field("distance_m", hit.distance)
        field("bearing_deg", hit.bearing)
    }

    /// `type epoch rev at op landmark before`, then the user and the run.
    ///
    /// - Returns: where in ``bytes`` the operation begins.
    @discardableResult
    package mutating func fields(_ told: FeedChange) -> Int {
        let change = told.change
        let place = fields(
            "change", told.position, at: change.at, told.operation.rawValue, change.landmark, before: change.before)
        field("user", change.user.nilIfEmpty)
        field("run", told.position.run?.description)
        return place
    }

    /// A landmark of a snapshot with the same keys as a change: `op` is `init`, and `rev` is the snapshot's revision.
    package mutating func fields(_ landmark: Landmark, asOf position: Position) {
        fields("landmark", position, at: landmark.updated, "init", landmark, before: nil)
        field("user", landmark.user.nilIfEmpty)
        field("run", position.run?.description)
    }

    @discardableResult
    private mutating func fields(
        _ type: String, _ position: Position, at: UInt64, _ operation: String, _ landmark: Landmark, before: Landmark?
    ) -> Int {
        field("type", type)
        field("epoch", position.epoch.description)
        field("rev", position.rev)
        field("at", time: at)
        key("op")
        let place = bytes.count
        value(operation)
        object("landmark", landmark)
        object("before", before)
        return place
    }

    /// `id rev version note unchanged`.
    package mutating func fields(_ written: Written) {
        field("id", written.id)
        field("rev", written.rev)
        field("version", written.version)
        field("note", written.note?.description)
        field("unchanged", written.isUnchanged)
    }
}

extension String {
    package var nilIfEmpty: String? { isEmpty ? nil : self }
}
