// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import WaymarkProtocol

extension Command {
    /// Checks every field of a write against the rules.
    ///
    /// - Throws: ``ErrorCode/invalid`` with the first rule that is broken, ``ErrorCode/tooLarge`` for too many rows,
    ///   ``ErrorCode/unknownCommand`` for a command that writes nothing.
    init(_ request: WireRequest) throws(ServiceError) {
        do {
            switch request.command {
            case .add(let add): self = try Self.add(AddFields(add))
            case .edit(let edit): self = try Self.edit(edit)
            case .move(let move): self = try Self.move(move)
            case .remove(let remove):
                self = .remove(try UUIDv7(wire: remove.id, "the landmark's id"), ifVersion: remove.ifVersion.nonZero)
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
            case .beginFetch(let begin): self = .beginFetch(try FetchRequest(begin))
            case .endFetch(let end): self = try Self.endFetch(end)
            default: throw ServiceError(.unknownCommand, "Storage writes nothing at this command.")
            }
        } catch let error as ServiceError {
            throw error
        } catch let error as InvalidInput {
            throw ServiceError(error)
        } catch {
            throw ServiceError(.internal, "The request could not be checked.")
        }
    }

    /// The most frequent command, checked as by the other initialiser.
    init(_ add: AddFields) throws(ServiceError) {
        do throws(InvalidInput) { self = try Self.add(add) } catch { throw ServiceError(error) }
    }

    private static func add(_ add: AddFields) throws(InvalidInput) -> Command {
        guard add.hasDraft else { throw .missing("a draft of the landmark") }
        return .add(
            try LandmarkDraft(
                name: add.name, coordinate: try Coordinate(wireLatitude: add.lat, longitude: add.lng),
                attributes: add.attributes),
            note: add.note.isEmpty ? nil : try LandmarkRules.note(add.note))
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
        case .unspecified, .UNRECOGNIZED: throw .missing("how the fetch went")
        }
        guard end.outcome.counts.isPossible else { throw .outOfRange("count of rows", "of one source") }
        try FetchRequest.bounded(end.outcome.etag, "ETag")
        try FetchRequest.bounded(end.outcome.lastModified, "Last-Modified")
        try FetchRequest.bounded(end.outcome.error, "error")
        try FetchRequest.bounded(end.outcome.format, "format")
        return .endFetch(source: try LandmarkRules.source(end.source), end.outcome)
    }
}

extension IngestBatch {
    /// Rejects each row that breaks a rule, and accepts the others. Of several rows with one key the first is accepted. A
    /// key that has a row does not count as vanished.
    init(_ wire: WireIngest) throws {
        let limit = WaymarkProtocol.ingestRows
        guard wire.rows.count + wire.vanished.count <= limit else {
            throw ServiceError(.tooLarge, "One ingest request takes up to \(limit) rows: send the rest in another.")
        }
        source = try LandmarkRules.source(wire.source)
        isDryRun = wire.dryRun
        rows = []
        rejected = []
        var keys: Set<String> = []
        for (place, row) in zip(UInt32(0)..., wire.rows) {
            do {
                let key = try LandmarkRules.sourceKey(row.key)
                guard row.hasDraft else { throw InvalidInput.missing("a draft of the landmark") }
                let draft = try LandmarkDraft(row.draft)
                if keys.insert(key).inserted {
                    rows.append(Row(place: place, key: key, draft: draft))
                } else {
                    rejected.append(
                        Rejection(place: place, reason: "Another row has the same key: the first one is taken."))
                }
            } catch let error as InvalidInput {
                rejected.append(Rejection(place: place, reason: error.description))
            }
        }
        vanished = []
        for key in wire.vanished {
            let key = try LandmarkRules.sourceKey(key)
            if keys.insert(key).inserted { vanished.append(key) }
        }
    }
}

extension FetchRequest {
    /// The longest lease of a turn, in milliseconds. A client that never gives its turn back blocks the source that long.
    static let longestLease: UInt64 = 3_600_000
    /// A leap year, which is also the longest that the settings take.
    private static let longestEvery: UInt64 = 366 * 86_400_000
    private static let textBytes = 8_192

    init(_ wire: WireBeginFetch) throws(InvalidInput) {
        source = try LandmarkRules.source(wire.source)
        try Self.bounded(wire.url, "URL")
        try Self.bounded(wire.format, "format")
        guard wire.leaseMs <= Self.longestLease else {
            throw .outOfRange("lease", "at most \(Self.longestLease) milliseconds")
        }
        guard wire.everyMs <= Self.longestEvery else {
            throw .outOfRange("time between two fetches", "at most \(Self.longestEvery) milliseconds")
        }
        url = wire.url
        format = wire.format
        every = wire.everyMs
        lease = wire.leaseMs
    }

    fileprivate static func bounded(_ text: String, _ what: String) throws(InvalidInput) {
        guard text.utf8.count <= textBytes else { throw .outOfRange(what, "at most \(textBytes) bytes") }
        // PostgreSQL cannot store one.
        guard !text.utf8.contains(0) else { throw .nulCharacter(InvalidInput.Field(what)) }
    }
}

extension UInt64 {
    fileprivate var nonZero: UInt64? { self == 0 ? nil : self }
}
