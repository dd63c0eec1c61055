// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import SQLite
import WaymarkProtocol

/// Writes landmarks to the tables of the text search in one transaction.
struct SearchWriter {
    private let insertDoc: Statement
    private let replaceDoc: Statement
    private let deleteDoc: Statement
    private let insertWords: Statement
    private let deleteWords: Statement

    init(_ db: Database) throws {
        let row = "INTO docs (key, low, name, kind, user, source) VALUES (?, ?, ?, ?, ?, ?)"
        insertDoc = try Statement(db, sql: "INSERT OR IGNORE \(row)")
        replaceDoc = try Statement(db, sql: "INSERT OR REPLACE \(row)")
        deleteDoc = try Statement(db, sql: "DELETE FROM docs WHERE key = ?")
        insertWords = try Statement(
            db, sql: "INSERT INTO words (rowid, name, user, notes) VALUES (?, ?, ?, ?)")
        deleteWords = try Statement(db, sql: "DELETE FROM words WHERE rowid = ?")
    }

    /// Applies one encoded change. A change may be applied twice, so a snapshot may be followed by changes that the
    /// snapshot already includes.
    func apply(_ bytes: Data) throws {
        try bytes.withUnsafeBytes { bytes in
            let landmark = try SearchedLandmark(change: bytes)
            if landmark.isRemoved { try remove(landmark.id) } else { try put(landmark) }
        }
    }

    /// Writes one encoded landmark.
    func put(record: Data) throws {
        try record.withUnsafeBytes { bytes in try put(try SearchedLandmark(bytes)) }
    }

    private func put(_ landmark: SearchedLandmark) throws {
        // Try to insert first, because most landmarks are new. Before the words of a known landmark are deleted, SQLite
        // has to read them.
        if try write(landmark, with: insertDoc) == 0 {
            try delete(landmark.id, with: deleteWords)
            try write(landmark, with: replaceDoc)
        }
        insertWords.bind(1, landmark.id.high)
        try bind(2, folded: landmark.name)
        try bind(3, folded: landmark.user)
        insertWords.bind(4, TextFolding.withoutAccents(landmark.notes))
        try insertWords.run()
    }

    @discardableResult
    private func write(_ landmark: SearchedLandmark, with statement: Statement) throws -> Int {
        statement.bind(1, landmark.id.high)
        statement.bind(2, landmark.id.low)
        statement.bind(3, text: landmark.name)
        statement.bind(4, text: landmark.kind)
        statement.bind(5, text: landmark.user)
        if let source = landmark.source {
            statement.bind(6, text: source)
        } else {
            statement.bindNull(6)
        }
        return try statement.run()
    }

    private func bind(_ parameter: CInt, folded text: UnsafeRawBufferPointer) throws {
        // ASCII needs no folding.
        if WireText.isASCII(text) {
            insertWords.bind(parameter, text: text)
        } else {
            insertWords.bind(parameter, TextFolding.withoutAccents(try SearchedLandmark.string(text)))
        }
    }

    private func remove(_ id: Landmark.ID) throws {
        // SQLite has to read words before it deletes them, so delete them only if the landmark is in the index.
        if try delete(id, with: deleteDoc) > 0 { try delete(id, with: deleteWords) }
    }

    @discardableResult
    private func delete(_ id: Landmark.ID, with statement: Statement) throws -> Int {
        statement.bind(1, id.high)
        return try statement.run()
    }
}
