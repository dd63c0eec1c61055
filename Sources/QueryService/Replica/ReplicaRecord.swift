// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import WaymarkProtocol

/// A landmark as the replica keeps it: the encoded bytes that go into replies, and what questions ask about.
struct ReplicaRecord {
    let id: Landmark.ID
    let rev: UInt64
    /// An encoded `Landmark`.
    let bytes: [UInt8]
    /// The name as it is sorted: case and accents folded.
    let foldedName: String
    let kind: UInt32
    let user: UInt32
    /// The source's name.
    let source: UInt32
}

extension String {
    /// Case and accents folded, the same on every machine.
    var foldedForSorting: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
        return folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}

/// A filter in the replica's numbers. Nil where any will do.
struct RecordFilter {
    var kind: UInt32?
    var user: UInt32?
    var source: UInt32?

    var isEmpty: Bool { kind == nil && user == nil && source == nil }

    @inline(__always)
    func matches(_ record: ReplicaRecord) -> Bool {
        if let kind, record.kind != kind { return false }
        if let user, record.user != user { return false }
        if let source, record.source != source { return false }
        return true
    }
}
