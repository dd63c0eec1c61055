// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import WaymarkProtocol

/// A write command whose values have all been validated. Indirect, so that passing a request on counts one reference, not
/// one for each text.
package indirect enum Command: Hashable, Sendable {
    /// `expires` is when storage removes the landmark, in Unix milliseconds; nil means never.
    case add(LandmarkDraft, note: String?, expires: UInt64? = nil)
    case edit(Landmark.ID, LandmarkEdit, ifVersion: UInt64?)
    /// `at` is when the landmark was there, in Unix milliseconds; nil means the time of the revision.
    case move(Landmark.ID, to: Coordinate, at: UInt64?)
    case remove(Landmark.ID, ifVersion: UInt64?)
    case restore(Landmark.ID)
    case addNote(Landmark.ID, text: String)
    /// `on` is the landmark that has to bear the note; nil accepts any landmark.
    case editNote(Note.ID, text: String, on: Landmark.ID? = nil)
    case removeNote(Note.ID, on: Landmark.ID? = nil)
    case ingest(IngestBatch)
    case beginFetch(WireBeginFetch)
    case endFetch(source: String, WireFetchOutcome)
    case account(AccountCommand)
    /// `filter` is in its canonical encoding.
    case addFence(name: String, filter: [UInt8], isPrivate: Bool = false)
    case removeFence(name: String)
    case addHook(HookDraft)
    case changeHook(HookChange)
    case hookTurn(WireHookTurn)
    case addGrant(WireAddGrant)
    case endGrant([UInt8])
    case addPoints(PointBatch)
    case eraseTrack(TrackErasure)
    /// Removes landmarks whose time has come.
    case removeExpired

    /// The landmark or the note that a command changes.
    package enum Target { case landmark(Landmark.ID), note(Note.ID) }

    package var target: Target? {
        switch self {
        case .edit(let id, _, _), .move(let id, _, _), .remove(let id, _), .restore(let id), .addNote(let id, _):
            .landmark(id)
        case .editNote(let id, _, _), .removeNote(let id, _): .note(id)
        case .addPoints(let batch): batch.landmark.map { .landmark($0) }
        case .eraseTrack(let erasure): erasure.landmark.map { .landmark($0) }
        case .add, .ingest, .beginFetch, .endFetch, .account, .addFence, .removeFence, .addHook, .changeHook,
            .hookTurn, .addGrant, .endGrant, .removeExpired:
            nil
        }
    }

    /// Checks every field of a write request.
    ///
    /// - Throws: ``ErrorCode/invalid`` with the first rule that the request breaks, ``ErrorCode/tooLarge`` for too many
    ///   rows, ``ErrorCode/unknownCommand`` for a command that writes nothing.
    package init(_ request: WireRequest) throws(ServiceError) {
        do {
            switch request.command {
            case .add(let add): self = try Self.add(AddFields(add))
            case .edit(let edit): self = try Self.edit(edit)
            case .move(let move): self = try Self.move(move)
            case .remove(let remove):
                self = .remove(try UUIDv7(wire: remove.id, "the landmark's id"), ifVersion: remove.ifVersion.nonZero)
            case .restore(let restore): self = .restore(try UUIDv7(wire: restore.id, "the landmark's id"))
            case .addNote(let add):
                self = .addNote(
                    try UUIDv7(wire: add.landmark, "the landmark's id"), text: try LandmarkRules.note(add.text))
            case .editNote(let edit):
                self = .editNote(
                    try UUIDv7(wire: edit.note, "the note's id"), text: try LandmarkRules.note(edit.text),
                    on: edit.landmark.isEmpty ? nil : try UUIDv7(wire: edit.landmark, "the landmark's id"))
            case .removeNote(let remove):
                self = .removeNote(
                    try UUIDv7(wire: remove.note, "the note's id"),
                    on: remove.landmark.isEmpty ? nil : try UUIDv7(wire: remove.landmark, "the landmark's id"))
            case .ingest(let ingest): self = .ingest(try IngestBatch(ingest))
            case .beginFetch(let begin): self = .beginFetch(try FetchRules.checked(begin))
            case .endFetch(let end): self = try Self.endFetch(end)
            case .addFence(let add): self = try Self.addFence(add)
            case .removeFence(let remove): self = .removeFence(name: try LandmarkRules.source(remove.name))
            case .addHook(let add): self = .addHook(try HookDraft(add))
            case .changeHook(let change): self = .changeHook(try HookChange(change))
            case .hookTurn(let turn): self = try Self.hookTurn(checked: turn)
            case .addGrant(let add): self = .addGrant(try GrantRules.checked(add))
            case .endGrant(let end): self = .endGrant(try GrantRules.digest(end.digest))
            case .addPoints(let add): self = .addPoints(try PointBatch(add))
            case .eraseTrack(let erase): self = .eraseTrack(try TrackErasure(erase))
            default: throw ServiceError(.unknownCommand, "Storage has no such write: bring both to one release.")
            }
        } catch let error as ServiceError {
            throw error
        } catch let error as InvalidInput {
            throw ServiceError(error)
        } catch {
            throw ServiceError(.internal, "The request could not be checked.")
        }
    }

    /// Checks an `add` by the same rules as `init(_: WireRequest)`. It takes fields that were parsed without decoding
    /// the whole message, because `add` is the most frequent command.
    package init(_ add: AddFields) throws(ServiceError) {
        do throws(InvalidInput) { self = try Self.add(add) } catch { throw ServiceError(error) }
    }

    private static func add(_ add: AddFields) throws(InvalidInput) -> Command {
        guard let draft = add.draft else { throw .missing("a draft of the landmark") }
        return .add(
            try LandmarkDraft(draft), note: add.note.isEmpty ? nil : try LandmarkRules.note(add.note),
            expires: try UnixTime.checked(add.expires, "end of the landmark").nonZero)
    }

    private static func edit(_ edit: WireEdit) throws(InvalidInput) -> Command {
        .edit(
            try UUIDv7(wire: edit.id, "the landmark's id"), try LandmarkEdit(edit), ifVersion: edit.ifVersion.nonZero)
    }

    private static func move(_ move: WireMove) throws(InvalidInput) -> Command {
        guard move.hasAt else { throw .missing("the position") }
        return .move(
            try UUIDv7(wire: move.id, "the landmark's id"),
            to: try Coordinate(wireLatitude: move.at.lat, longitude: move.at.lng),
            at: try UnixTime.checked(move.time, "time of a move").nonZero)
    }

    private static func endFetch(_ end: WireEndFetch) throws(InvalidInput) -> Command {
        switch end.outcome.result {
        case .ingested, .notModified, .failed: break
        case .unspecified, .UNRECOGNIZED: throw .missing("the outcome of the fetch")
        }
        guard end.outcome.counts.isPossible else { throw .outOfRange("count of rows", "at most 2^40") }
        try FetchRules.bounded(end.outcome.etag, "ETag")
        try FetchRules.bounded(end.outcome.lastModified, "Last-Modified")
        try FetchRules.bounded(end.outcome.error, "error")
        try FetchRules.bounded(end.outcome.format, "format")
        return .endFetch(source: try LandmarkRules.source(end.source), end.outcome)
    }
}

extension UInt64 {
    fileprivate var nonZero: UInt64? { self == 0 ? nil : self }
}
