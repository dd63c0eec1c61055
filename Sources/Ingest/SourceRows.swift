// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// The contents of a body: the rows to store, and the rejected rows with their reasons.
public struct SourceRows: Hashable, Sendable {
    /// The format that was read, for reports: `geojson`, or the mapping that `auto` chose.
    public var format: String
    /// The rows in the order of the body. Keys are unique.
    public var rows: [SourceRow] = []
    /// The rejected rows in the order of the body.
    public var rejected: [RejectedRow] = []
    /// Fields that were left out or changed, and other remarks.
    public var notices: [SourceNotice] = []
    /// Whether the source may have more rows than these. If so, missing rows do not count as vanished.
    public var isPartial = false
}

/// One landmark from a source.
public struct SourceRow: Hashable, Sendable {
    /// The key that identifies the row at every fetch.
    public var key: String
    public var draft: LandmarkDraft
}

/// A row that was rejected.
public struct RejectedRow: Hashable, Sendable {
    /// The place in the body, and the name or id if there is one. In lists the index is counted from 0, `locations[3]
    /// (Bondi Beach)`; in lines and tables the line is counted from 1, `line 5 (Bondi Beach)`.
    public var place: String
    /// The reason in one sentence.
    public var reason: String
    /// The part of the reason that similar rows share: ``RowReason/common``.
    public var common = ""
    /// The row's key, if it can be determined: a rejected row must not count as vanished.
    public var key: String?
    /// The name of a row without an id: storage may know the row under any key with that name.
    public var name: String?
}

/// A notice about an accepted row, or about the whole body.
public struct SourceNotice: Hashable, Sendable {
    /// The place, as in ``RejectedRow/place``; empty for the whole body.
    public var place: String
    /// The notice in one sentence.
    public var text: String
    /// The part that similar notices share: ``RowReason/common``.
    public var common = ""
}
