// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import WaymarkClient
package import WaymarkProtocol

/// Writes `id name lat lng`, then the fields of ``JSONWriter/details(_:)``.
extension LandmarkView: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        if let id { writer.field("id", id) }
        writer.field("name", utf8: name)
        if let coordinate { writer.position(coordinate) }
        writer.details(self)
    }
}

/// Writes the fields of a ``LandmarkView``, so that there is only one list of them.
extension Landmark: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        encoded.withUnsafeBytes { LandmarkView($0)?.fields(to: &writer) }
    }
}

extension SourceKeyView: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("name", utf8: name)
        writer.field("key", utf8: key)
    }
}

extension NoteView: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        if let id { writer.field("id", id) }
        writer.field("text", utf8: text)
        writer.field("user", utf8: user.nilIfEmpty)
        if account > 0 { writer.field("account", account) }
        writer.field("at", time: at)
    }
}

/// Writes `epoch rev run`.
extension Position: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("epoch", epoch)
        writer.field("rev", rev)
        writer.field("run", run?.description)
    }
}

/// Writes `type epoch rev at op landmark before user run`.
extension FeedChange: JSONObject {
    package func fields(to writer: inout JSONWriter) { writer.change(self) }

    /// The JSON in two pieces, before and after the name of the operation, because the operation differs between
    /// filters.
    package var parts: (head: [UInt8], tail: [UInt8]) {
        var writer = JSONWriter()
        var cut = 0
        writer.object { cut = $0.change(self) + 1 }
        // The quotes around the name stay, one at the end of `head` and one at the beginning of `tail`.
        let bytes = writer.bytes
        return (Array(bytes[..<cut]), Array(bytes[(cut + operation.rawValue.utf8.count)...]))
    }
}

/// Writes `id rev version note unchanged`.
extension Written: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("rev", rev)
        writer.field("version", version)
        writer.field("note", note?.description)
        writer.field("unchanged", isUnchanged)
    }
}

extension JSONWriter {
    /// Writes `lat lng`.
    package mutating func position(_ coordinate: Coordinate) {
        field("lat", coordinate.latitude)
        field("lng", coordinate.longitude)
    }

    /// Writes `kind link user source`, then the other attributes, then `notes version rev created updated`.
    mutating func details(_ landmark: LandmarkView) {
        fields(Attribute.leading, of: landmark)
        field("user", utf8: landmark.user.nilIfEmpty)
        if landmark.account > 0 { field("account", landmark.account) }
        key("source")
        if let source = landmark.source { object { source.fields(to: &$0) } } else { null() }
        fields(Attribute.following, of: landmark)
        key("notes")
        list { writer in
            for note in landmark.notes { writer.object { note.fields(to: &$0) } }
        }
        field("version", landmark.version)
        field("rev", landmark.rev)
        field("created", time: landmark.created)
        field("updated", time: landmark.updated)
    }

    /// Writes a landmark's fields, then `distance_m bearing_deg` if `isMeasured`, then `opening` if `tellsOpening`.
    package mutating func fields(_ hit: HitView, isMeasured: Bool, tellsOpening: Bool = false) {
        hit.landmark.fields(to: &self)
        found(hit, isMeasured: isMeasured, tellsOpening: tellsOpening)
    }

    package mutating func fields(_ hit: Hit, isMeasured: Bool, tellsOpening: Bool = false) {
        hit.withView { fields($0, isMeasured: isMeasured, tellsOpening: tellsOpening) }
    }

    /// Writes the fields that a query adds to those of a landmark.
    mutating func found(_ hit: HitView, isMeasured: Bool, tellsOpening: Bool) {
        if isMeasured {
            field("distance_m", hit.distance)
            field("bearing_deg", hit.bearing)
        }
        if tellsOpening { object("opening", hit.opening) }
    }

    /// Writes the fields of a change.
    ///
    /// - Returns: the offset in ``bytes`` at which the operation's name begins.
    @discardableResult
    fileprivate mutating func change(_ told: FeedChange) -> Int {
        let change = told.change
        return fields(
            "change", told.position, at: change.at, told.operation.rawValue, change.landmark, before: change.before,
            user: change.user)
    }

    /// Writes a landmark of a snapshot with the keys of a change. `op` is `init`, and `rev` is the snapshot's revision.
    package mutating func fields(_ landmark: Landmark, asOf position: Position) {
        fields("landmark", position, at: landmark.updated, "init", landmark, before: nil, user: landmark.user)
    }

    @discardableResult
    private mutating func fields(
        _ type: String, _ position: Position, at: UInt64, _ operation: String, _ landmark: Landmark,
        before: Landmark?, user: String
    ) -> Int {
        field("type", type)
        field("epoch", position.epoch)
        field("rev", position.rev)
        field("at", time: at)
        key("op")
        let place = count
        value(operation)
        object("landmark", landmark)
        object("before", before)
        field("user", user.nilIfEmpty)
        field("run", position.run?.description)
        return place
    }
}

extension String {
    package var nilIfEmpty: String? { isEmpty ? nil : self }
}

extension UnsafeRawBufferPointer {
    var nilIfEmpty: UnsafeRawBufferPointer? { isEmpty ? nil : self }
}
