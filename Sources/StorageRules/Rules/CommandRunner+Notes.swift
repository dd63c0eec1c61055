// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

// Anybody may write a note on any landmark. A note is a person's own words, so only the account that wrote it or a
// moderator may change or remove it. Where accounts are not required, the claimed user name must be the same. This
// prevents accidents, but it protects nobody from a false name.

extension CommandRunner {
    func addNote(to id: Landmark.ID, _ text: String, by caller: Caller, now: UInt64) throws -> Written {
        try caller.require(.addNote)
        let user = try Refusal.user(caller.user)
        guard let before = try landmarks.find(id) else { throw Refusal.noLandmark }
        let note = Note(id: ids.next(now: now), text: text, user: user, account: caller.number, at: now)
        var landmark = before.landmark
        landmark.notes.append(note)
        landmark = try write(landmark, .noted, before: before, user: user, now: now)
        try landmarks.insertNote(note.id, on: id)
        return Written(landmark, note: note.id)
    }

    func editNote(
        _ id: Note.ID, _ text: String, on bearer: Landmark.ID?, by caller: Caller, now: UInt64
    ) throws -> Written {
        let user = try Refusal.user(caller.user)
        let (before, index) = try find(id, on: bearer, for: .editNote, by: caller)
        guard before.landmark.notes[index].text != text else { return Written(before.landmark, isUnchanged: true) }
        var landmark = before.landmark
        landmark.notes[index].text = text
        landmark.notes[index].at = now
        return Written(try write(landmark, .noted, before: before, user: user, now: now))
    }

    func removeNote(_ id: Note.ID, on bearer: Landmark.ID?, by caller: Caller, now: UInt64) throws -> Written {
        let user = try Refusal.user(caller.user)
        let (before, index) = try find(id, on: bearer, for: .removeNote, by: caller)
        var landmark = before.landmark
        landmark.notes.remove(at: index)
        landmark = try write(landmark, .noted, before: before, user: user, now: now)
        try landmarks.deleteNote(id)
        try removed(id)
        return Written(landmark)
    }

    /// - Parameter bearer: the landmark that has to bear the note; nil accepts any landmark.
    private func find(
        _ id: Note.ID, on bearer: Landmark.ID?, for permission: Permission, by caller: Caller
    ) throws -> (StoredLandmark, Int) {
        guard let key = try landmarks.landmark(bearing: id) else { throw Refusal.noNote }
        guard let stored = try landmarks.find(key: key),
            let index = stored.landmark.notes.firstIndex(where: { $0.id == id })
        else { throw EngineError.corrupted("note \(id) is not on its landmark") }
        if let bearer, bearer != stored.landmark.id { throw Refusal.noNote }
        let note = stored.landmark.notes[index]
        if caller.isProven {
            try caller.require(permission, ofWhat: note.account, note.user)
        } else if note.user != caller.user {
            throw Refusal.notTheirs(note.user)
        }
        return (stored, index)
    }
}
