// SPDX-License-Identifier: Apache-2.0

// The fields of stored messages: landmarks and their changes.

/// Fields of `Landmark`, except for its attributes; see ``AttributeField``.
public enum LandmarkField: UInt64, WireField {
    case id = 1
    case name = 2
    case lat = 3
    case lng = 4
    case user = 7
    case source = 8
    case notes = 10
    case version = 11
    case rev = 12
    case created = 13
    case updated = 14
    case account = 19
}

/// Fields of `SourceKey`.
public enum SourceKeyField: UInt64, WireField {
    case name = 1
    case key = 2
}

/// Fields of `Note`.
public enum NoteField: UInt64, WireField {
    case id = 1
    case text = 2
    case user = 3
    case at = 4
    case account = 5
}

/// Fields of `LandmarkDraft`.
public enum DraftField: UInt64, WireField {
    case name = 1
    case lat = 2
    case lng = 3
    case attributes = 4
}

/// Fields of `Change`.
public enum ChangeField: UInt64, WireField {
    case rev = 1
    case at = 2
    case operation = 3
    case user = 4
    case landmark = 5
    case before = 6
}

/// Fields of `Position`.
public enum PositionField: UInt64, WireField {
    case epoch = 1
    case rev = 2
    case run = 3
}
