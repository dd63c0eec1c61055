// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// What a body held: rows that can be stored, and what was refused with a reason.
public struct SourceRows: Hashable, Sendable {
    /// The shape that was read, for reports: `geojson`, or the mapping that `auto` settled on.
    public var format: String
    /// In the order of the body. No two have one key.
    public var rows: [SourceRow]
    /// In the order of the body.
    public var rejected: [RejectedRow]
    /// What was taken otherwise than it was written.
    public var notices: [SourceNotice]
    /// Rows are missing that the source may have: what is not here has not vanished.
    public var isPartial = false

    public init(
        format: String, rows: [SourceRow] = [], rejected: [RejectedRow] = [], notices: [SourceNotice] = []
    ) {
        self.format = format
        self.rows = rows
        self.rejected = rejected
        self.notices = notices
    }
}

/// One landmark as its source gives it.
public struct SourceRow: Hashable, Sendable {
    /// The same at every fetch: by it the landmark is found again.
    public var key: String
    public var draft: LandmarkDraft

    public init(key: String, draft: LandmarkDraft) {
        self.key = key
        self.draft = draft
    }
}

/// A row that was not taken.
public struct RejectedRow: Hashable, Sendable {
    /// Where it stood, counted from 0, with its name or id if it has one: `locations[3] (Bondi Beach)`; of lines and
    /// tables the line, counted from 1: `line 5 (Bondi Beach)`.
    public var place: String
    /// One sentence.
    public var reason: String
    /// What it shares with others that were refused: ``RowReason/common``.
    public var common: String
    /// Under which it would be known, where that can be told: a row that is refused today has not vanished.
    public var key: String?
    /// Of one without an id, where it can be told: it may be known under any key of that name.
    public var name: String?

    public init(place: String, reason: String, common: String = "", key: String? = nil, name: String? = nil) {
        self.place = place
        self.reason = reason
        self.common = common
        self.key = key
        self.name = name
    }
}

/// Something to tell about a row that was taken, or about the whole body.
public struct SourceNotice: Hashable, Sendable {
    /// As in ``RejectedRow/place``; empty when it is about the whole body.
    public var place: String
    /// One sentence.
    public var text: String
    /// What it shares with others: ``RowReason/common``.
    public var common: String

    public init(place: String, text: String, common: String = "") {
        self.place = place
        self.text = text
        self.common = common
    }
}
