// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Landmarks
import WaymarkTransport

/// The copy of the database that a client is reading, or that is being made for it. There is at most one.
struct BackupShelf {
    struct Offer {
        let id: UUIDv7
        let copy: DatabaseCopy
        /// The requests that this copy answers: more than one if a client repeats a request whose answer took too long.
        var keys: Set<RequestKey>
        var isRead = false
        /// Time of the last request for the copy, in milliseconds on the monotonic clock.
        var used: UInt64
    }

    struct Making {
        let task: Task<Result<DatabaseCopy, EngineError>, Never>
        var keys: Set<RequestKey>
    }

    /// Milliseconds without a read after which the copy is deleted.
    static let patience: UInt64 = 60_000

    var making: Making?
    var offer: Offer?

    mutating func dropUnread(now: UInt64) {
        if let offer, now - offer.used >= Self.patience { self.offer = nil }
    }

    /// The copy that answers `key`: it has answered the same request before, or it was made for the same client, which
    /// has not begun to read it.
    mutating func taken(by key: RequestKey, now: UInt64) -> Offer? {
        guard var offer, offer.keys.contains(key) || (!offer.isRead && offer.keys.contains { $0.client == key.client })
        else { return nil }
        offer.keys.insert(key)
        offer.used = now
        self.offer = offer
        return offer
    }

    /// Adds the request to a copy that is being made for the same client.
    ///
    /// - Returns: whether such a copy is being made.
    mutating func joined(by key: RequestKey) -> Bool {
        guard making?.keys.contains(where: { $0.client == key.client }) == true else { return false }
        making?.keys.insert(key)
        return true
    }
}
