// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// Puts landmarks into the tables of the text search, within one transaction.
struct SearchWriter {
    private let deleteDoc: Statement
    private let insertDoc: Statement
    private let deleteWords: Statement
    private let insertWords: Statement
    private let db: Database

    init(_ db: Database) throws {
        self.db = db
        deleteDoc = try db.cachedStatement(sql: "DELETE FROM docs WHERE key = ?")
        insertDoc = try db.cachedStatement(
            sql: "INSERT INTO docs (key, low, name, kind, user, source) VALUES (?, ?, ?, ?, ?, ?)")
        deleteWords = try db.cachedStatement(sql: "DELETE FROM words WHERE rowid = ?")
        insertWords = try db.cachedStatement(sql: "INSERT INTO words (rowid, name, user, notes) VALUES (?, ?, ?, ?)")
    }

    /// One encoded change. Taking it again does no harm, so what a snapshot had already may come.
    func take(_ bytes: Data) throws {
        let change: Change
        do {
            change = try Change(WireChange(serializedBytes: bytes))
        } catch {
            throw EngineError.corrupted("a change cannot be read")
        }
        if change.operation == .removed {
            try remove(change.landmark.id)
        } else {
            try put(change.landmark)
        }
    }

    func put(_ landmark: Landmark) throws {
        try remove(landmark.id)
        let key = landmark.id.high.bits
        let notes = landmark.notes.map { "\($0.user) \($0.text)" }.joined(separator: "\n")
        try insertDoc.run(
            key, landmark.id.low.bits, landmark.name, landmark.kind,
            landmark.user, landmark.source?.name)
        try insertWords.run(
            key, SearchFolding.folded(landmark.name), SearchFolding.folded(landmark.user),
            SearchFolding.folded(notes))
    }

    private func remove(_ id: Landmark.ID) throws {
        try deleteDoc.run(id.high.bits)
        // Deleting words reads them first: only where there are any.
        if db.changesCount > 0 { try deleteWords.run(id.high.bits) }
    }
}
