// SPDX-License-Identifier: Apache-2.0

// The fields of headers, which are in frame 1 of all messages.

/// Fields of `RequestHeader`.
public enum RequestHeaderField: UInt64, WireField {
    case client = 1
    case sequence = 2
    case sentMs = 3
    case timeoutMs = 4
    case user = 5
    case atLeast = 6
    case credentials = 7
    case account = 8
    case origin = 9
}

/// Fields of `ReplyHeader`.
public enum ReplyHeaderField: UInt64, WireField {
    case client = 1
    case sequence = 2
    case position = 3
    case ageMs = 4
    case storageAway = 5
}

/// Fields of `FeedBatch`.
public enum FeedBatchField: UInt64, WireField {
    case epoch = 1
    case run = 2
    case n = 3
    case rev = 4
    case floor = 5
    case changes = 7
    case operations = 8
}
