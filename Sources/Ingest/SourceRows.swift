// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// The content of a body: the rows to store, and the rejected rows with the reasons.
public struct SourceRows: Hashable, Sendable {
    /// The format in which the body was read, as reports show it: `geojson`, or the mapping that `auto` chose.
    public var format: String
    /// The accepted rows in the order of the body. Their keys are unique.
    public var rows: [SourceRow] = []
    /// The rejected rows in the order of the body.
    public var rejected: [RejectedRow] = []
    /// Notices about fields that were left out or changed, and other remarks.
    public var notices: [SourceNotice] = []
    /// The remark of a source whose answer broke off, so that rows missing from it do not count as vanished; nil if the
    /// answer is complete.
    public var brokeOff: String?
}

/// One landmark from a source.
public struct SourceRow: Hashable, Sendable {
    /// The key, which is the same at every fetch.
    public var key: String
    public var draft: LandmarkDraft
}

/// A row that was rejected.
public struct RejectedRow: Hashable, Sendable {
    /// The location of the row in the body, and its name or id if it has one. In a list it is the index, counted from
    /// 0: `locations[3] (Bondi Beach)`. In lines and tables it is the line, counted from 1: `line 5 (Bondi Beach)`.
    public var place: String
    /// The reason in one sentence.
    public var reason: String
    /// The words that the reasons of similar rows share: ``RowReason/common``.
    public var common = ""
    /// The key of the row, which must not count as vanished; nil if the key cannot be determined.
    public var key: String?
    /// The name of a row without an id. Storage may know the row under any key that contains the name.
    public var name: String?

    /// The rejection as a notice about the row.
    package var notice: SourceNotice { SourceNotice(place: place, text: reason, common: common) }
}

/// A notice about an accepted row, or about the whole body.
public struct SourceNotice: Hashable, Sendable {
    /// The location, as in ``RejectedRow/place``; empty for the whole body.
    public var place: String
    /// The notice in one sentence.
    public var text: String
    /// The words that similar notices share: ``RowReason/common``.
    public var common = ""
}
