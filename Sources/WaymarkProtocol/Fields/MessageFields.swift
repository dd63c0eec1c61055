// SPDX-License-Identifier: Apache-2.0

// The fields of requests and replies that are read or written for every request, or by the thousand.

/// Fields of `Near`.
public enum NearField: UInt64, WireField {
    case lat = 1
    case lng = 2
    case limit = 3
    case radiusM = 4
    case minDistanceM = 5
    case filter = 6
    case after = 7
    case opening = 8
    case rank = 9
}

/// Fields of `Add`.
public enum AddField: UInt64, WireField {
    case draft = 1
    case note = 2
    case expires = 3
}

/// Fields of `Failure`.
public enum FailureField: UInt64, WireField {
    case code = 1
    case message = 2
    case retryAfterMs = 3
    case floor = 4
    case head = 5
    case version = 6
}

/// Fields of `Hits`.
public enum HitsField: UInt64, WireField {
    case hits = 1
    case cursor = 2
    case searchedRev = 3
    case truncated = 4
    case openingAt = 5
}

/// Fields of `Hit`.
public enum HitField: UInt64, WireField {
    case landmark = 1
    case distanceM = 2
    case bearingDeg = 3
    case opening = 4
}

/// Fields of `SnapshotPage`.
public enum SnapshotPageField: UInt64, WireField {
    case landmarks = 1
    case next = 2
    case total = 3
    case head = 4
}

/// Fields of `Written`.
public enum WrittenField: UInt64, WireField {
    case id = 1
    case rev = 2
    case version = 3
    case note = 4
    case unchanged = 5
}

/// Fields of `IngestReport`.
public enum IngestReportField: UInt64, WireField {
    case counts = 1
    case rejected = 2
    case rev = 3
}

/// Fields of `IngestCounts`.
public enum IngestCountsField: UInt64, WireField {
    case added = 1
    case changed = 2
    case unchanged = 3
    case removed = 4
    case rejected = 5
    case kept = 6
}
