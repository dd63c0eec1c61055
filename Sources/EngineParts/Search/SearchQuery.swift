// SPDX-License-Identifier: Apache-2.0

internal import JSON
import Landmarks
import SQLite

/// The result of a search, best match first.
struct FoundWords: Hashable, Sendable {
    var ids: [Landmark.ID]
    var rev: UInt64
    var isTruncated: Bool
}

/// A search for landmarks that contain all given words, each as a whole word or as the beginning of a word.
///
/// Matches have four ranks: all words whole in the name; all words at least begun in the name; all whole anywhere; all
/// at least begun anywhere. Within a rank, a better BM25 score comes first, then the lower name, then the lower id. The
/// ranks are searched one after the other until enough matches are found.
struct SearchQuery {
    /// The maximum number of matches that are examined for one rank.
    static let matches = 10_000

    let text: SearchText
    let filter: LandmarkFilter
    let limit: Int
    /// The maximum processor time. Searching for the beginning of a word, in the worst case one letter, may match all
    /// texts.
    var time: Duration = .milliseconds(500)

    /// - Throws: ``EngineError/tooCostly`` if the time ran out before a match was found.
    func run(_ db: Database) throws -> FoundWords {
        var found = FoundWords(ids: [], rev: 0, isTruncated: false)
        let progress = try SearchProgress.read(db)
        // An index that is still being built does not include any revision.
        if progress.isWhole { found.rev = progress.rev }
        do {
            try db.limited(to: time) { try find(&found, db) }
        } catch let error as DatabaseError where error.resultCode == .interrupted {
            guard !found.ids.isEmpty else { throw EngineError.tooCostly }
            found.isTruncated = true
        }
        return found
    }

    private func find(_ found: inout FoundWords, _ db: Database) throws {
        var seen: Set<UInt64> = []
        let statement = try db.cachedStatement(sql: Self.sql)
        for expression in expressions {
            let values: [(any SQLValue)?] = [
                expression, kinds, filter.user, filter.source, Self.matches + 1, limit + seen.count,
            ]
            try statement.forEach(values) { row in
                if try row.bits(2) > UInt64(Self.matches) { found.isTruncated = true }
                let id = Landmark.ID(high: try row.bits(0), low: try row.bits(1))
                if seen.insert(id.high).inserted { found.ids.append(id) }
                return found.ids.count < limit
            }
            if found.ids.count == limit { return }
        }
    }

    /// The kinds of the filter as a JSON array; nil if any kind is wanted.
    private var kinds: String? {
        guard !filter.kinds.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.array(filter.kinds) { $0.value($1) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private var expressions: [String] {
        let words = text.words.map { "\"\($0)\"" }
        let whole = words.joined(separator: " AND ")
        // A whole word is counted twice, so that it comes before longer words that begin with it.
        let begun = words.map { "(\($0) OR \($0) *)" }.joined(separator: " AND ")
        return ["name : (\(whole))", "name : (\(begun))", whole, begun]
    }

    /// A match in the name has eight times the weight of a match in the notes.
    private static let sql = """
        SELECT key, low, count(*) OVER () FROM (
            SELECT docs.key, docs.low, docs.name, bm25(words, 8.0, 2.0, 1.0) AS score
            FROM words JOIN docs ON docs.key = words.rowid
            WHERE words MATCH ?1
                AND (?2 IS NULL OR docs.kind IN (SELECT value FROM json_each(?2)))
                AND (?3 IS NULL OR docs.user = ?3)
                AND (?4 IS NULL OR docs.source = ?4)
            LIMIT ?5
        )
        ORDER BY score, name, key LIMIT ?6
        """
}
