// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
public import Geodesy
import WaymarkProtocol

extension WaymarkClient {
    /// Adds a landmark, optionally with a first note. When this returns, the landmark would survive a power loss.
    ///
    /// - Parameter expires: the time at which storage removes the landmark, in Unix milliseconds; nil for never.
    public func add(
        _ draft: LandmarkDraft, note: String? = nil, expires: UInt64? = nil
    ) async throws(ClientError) -> Written {
        let add = WireAdd.with {
            ($0.draft, $0.note, $0.expires) = (WireLandmarkDraft(draft), note ?? "", expires ?? 0)
        }
        return try await write(.with { $0.add = add })
    }

    /// - Parameter ifVersion: the edit is refused if the landmark has another version; nil to edit any version.
    public func edit(
        _ id: Landmark.ID, _ edit: LandmarkEdit, ifVersion: UInt64? = nil
    ) async throws(ClientError) -> Written {
        try await write(.with { $0.edit = WireEdit(edit, of: id, ifVersion: ifVersion) })
    }

    public func remove(_ id: Landmark.ID, ifVersion: UInt64? = nil) async throws(ClientError) -> Written {
        try await write(.with { ($0.remove.id, $0.remove.ifVersion) = (id.wire, ifVersion ?? 0) })
    }

    /// Undoes a removal. Refused with `not_found` if storage's log does not have the removal any more.
    public func restore(_ id: Landmark.ID) async throws(ClientError) -> Written {
        try await write(.with { $0.restore.id = id.wire })
    }

    public func addNote(to landmark: Landmark.ID, _ text: String) async throws(ClientError) -> Written {
        try await write(.with { ($0.addNote.landmark, $0.addNote.text) = (landmark.wire, text) })
    }

    /// - Parameter bearer: the landmark to which the note must belong; nil if it may belong to any.
    public func editNote(
        _ note: Note.ID, _ text: String, on bearer: Landmark.ID? = nil
    ) async throws(ClientError) -> Written {
        let edit = WireEditNote.with { ($0.note, $0.text, $0.landmark) = (note.wire, text, bearer?.wire ?? Data()) }
        return try await write(.with { $0.editNote = edit })
    }

    public func removeNote(_ note: Note.ID, on bearer: Landmark.ID? = nil) async throws(ClientError) -> Written {
        try await write(.with { ($0.removeNote.note, $0.removeNote.landmark) = (note.wire, bearer?.wire ?? Data()) })
    }

    /// Moves a landmark to its present place, and adds a point to its track.
    ///
    /// - Parameter time: the time of the observation in Unix milliseconds; nil for the present time by storage's clock.
    public func move(
        _ id: Landmark.ID, to place: Coordinate, at time: UInt64? = nil
    ) async throws(ClientError) -> Written {
        try await write(.with { ($0.move.id, $0.move.at, $0.move.time) = (id.wire, WirePoint(place), time ?? 0) })
    }

    private func write(_ request: WireRequest) async throws(ClientError) -> Written {
        try await ask(request, \.written, "write") { Written($0) }
    }
}
