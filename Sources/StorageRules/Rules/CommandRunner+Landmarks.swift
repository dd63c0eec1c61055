// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import WaymarkProtocol

// Where accounts are required, a landmark belongs to the account that added it. Elsewhere everybody shares the
// landmarks: anybody who gives a user name may edit or remove any landmark, and the change log records the name.

extension CommandRunner {
    func add(
        _ draft: LandmarkDraft, note: String?, expires: UInt64?, by caller: Caller, now: UInt64
    ) throws -> Written {
        try caller.require(.add)
        let user = try Refusal.user(caller.user)
        if let expires { try GrantRules.checkEnd(expires, now: now) }
        var landmark = Landmark(draft, id: ids.next(now: now), created: now)
        (landmark.user, landmark.account) = (user, caller.number)
        if let note {
            landmark.notes = [Note(id: ids.next(now: now), text: note, user: user, account: caller.number, at: now)]
        }
        landmark = try write(landmark, .added, before: nil, user: user, now: now)
        for note in landmark.notes { try landmarks.insertNote(note.id, on: landmark.id) }
        if let expires { try grants.setEnd(expires, of: landmark.id.high) }
        return Written(landmark, note: landmark.notes.first?.id)
    }

    func edit(
        _ id: Landmark.ID, _ edit: LandmarkEdit, ifVersion: UInt64?, by caller: Caller, now: UInt64
    ) throws -> Written {
        let user = try Refusal.user(caller.user)
        let before = try landmarks.find(id, ifVersion: ifVersion, for: .edit, by: caller)
        let edited = edit.applied(to: before.landmark)
        guard edited != before.landmark else { return Written(edited, isUnchanged: true) }
        return Written(try write(edited, .changed, before: before, user: user, now: now))
    }

    /// Moves a landmark. Unlike an edit, a move to the same coordinate makes a revision too, because it says that the
    /// landmark was still there at that time. A place that is older than the track's newest point is only a point of
    /// the track.
    ///
    /// - Parameter time: when the landmark was there, in Unix milliseconds; nil means now.
    func move(
        _ id: Landmark.ID, to place: Coordinate, at time: UInt64?, by caller: Caller, now: UInt64
    ) throws -> Written {
        let user = try Refusal.user(caller.user)
        let before = try landmarks.find(id, for: .move, by: caller)
        if let time, time > PointRules.latest(now) { throw Refusal.futureMove }
        let newest = try time == nil ? nil : tables.tracks.newest(of: id.high, upTo: PointRules.latest(now))
        let isLate = newest.map { $0 > time ?? now } ?? false
        var moved = before.landmark
        if !isLate {
            moved.coordinate = place
            moved = try write(moved, .changed, before: before, user: user, now: now)
        }
        try points.store([TrackPoint(rev: moved.rev, at: time ?? now, coordinate: place)], of: id.high, now: now)
        return Written(moved, isUnchanged: isLate)
    }

    func remove(_ id: Landmark.ID, ifVersion: UInt64?, by caller: Caller, now: UInt64) throws -> Written {
        let user = try Refusal.user(caller.user)
        let stored = try landmarks.find(id, ifVersion: ifVersion, for: .remove, by: caller)
        try erase(stored, user: user, now: now)
        // The row is kept, so that the next ingest does not add the landmark again.
        if let source = stored.landmark.source { try tables.sources.orphan(source) }
        var removed = stored.landmark
        removed.rev = head.rev
        return Written(removed)
    }

    /// Undoes a removal that the log still has. Nothing happens to a landmark that exists.
    ///
    /// A landmark of a source gets its row back, and a new row where the source has dropped the old one: so the next
    /// ingest keeps the landmark or removes it, and never adds a second one.
    func restore(_ id: Landmark.ID, by caller: Caller, now: UInt64) throws -> Written {
        let user = try Refusal.user(caller.user)
        if let stored = try landmarks.find(id) {
            try caller.require(.remove, ofWhat: stored.landmark.account, stored.landmark.user)
            return Written(stored.landmark, isUnchanged: true)
        }
        guard let removal = try tables.changes.lastRemoval(of: id) else { throw Refusal.noRemoval }
        var landmark = removal.landmark
        try caller.require(.remove, ofWhat: landmark.account, landmark.user)
        let row = try landmark.source.flatMap { source in try tables.sources.find(source) }
        if row?.landmark != nil, let source = landmark.source { throw Refusal.rowTaken(source) }
        landmark = try tables.accounts.withPresentNames(landmark)
        // Only a source's landmark without its row needs a draft, whose texts are checked again.
        let draft =
            try row?.draft
            ?? (landmark.source == nil
                ? []
                : LandmarkDraft(
                    name: landmark.name, coordinate: landmark.coordinate, attributes: landmark.attributes
                ).encoded)
        // The landmark's history goes on from the removal.
        landmark.rev = removal.rev
        let restored = try write(landmark, .added, before: StoredLandmark(landmark), user: user, now: now)
        for note in restored.notes { try landmarks.insertNote(note.id, on: id) }
        try tables.eraseTracks(ofEnded: restored.account)
        if let source = restored.source {
            let new = RememberedRow(landmark: id.high, draft: draft)
            if row == nil { try tables.sources.insert(source, new) } else { try tables.sources.update(source, new) }
        }
        return Written(restored)
    }
}

extension ChangeTable {
    /// Returns the last change that removed the landmark; nil if the log has none.
    func lastRemoval(of id: Landmark.ID) throws -> Change? {
        guard let payload = try removal(of: id) else { return nil }
        let change = try Change(encoded: payload)
        return change.landmark.id == id ? change : nil
    }
}

extension LandmarkTable {
    /// Finds a landmark that the caller may change.
    func find(
        _ id: Landmark.ID, ifVersion: UInt64? = nil, for permission: Permission, by caller: Caller
    ) throws -> StoredLandmark {
        guard let stored = try find(id) else { throw Refusal.noLandmark }
        try caller.require(permission, ofWhat: stored.landmark.account, stored.landmark.user)
        if let ifVersion, ifVersion != stored.landmark.version { throw Refusal.version(stored.landmark.version) }
        return stored
    }
}

extension Landmark {
    init(_ draft: LandmarkDraft, id: ID, created: UInt64) {
        self.init(
            id: id, name: draft.name, coordinate: draft.coordinate, attributes: draft.attributes, created: created)
    }
}
