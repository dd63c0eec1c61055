// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Landmarks
import WaymarkTransport

/// The copy of the database that a client is reading, or that is being made for a client. At most one exists.
struct BackupShelf {
    struct Offer {
        let id: UUIDv7
        let copy: DatabaseCopy
        /// The requests that this copy answers. There are several if the client repeats its request while the copy is
        /// made.
        var keys: Set<RequestKey>
        var isRead = false
        /// When the copy was last requested or read, in milliseconds on the monotonic clock.
        var used: UInt64
    }

    struct Making {
        let task: Task<DatabaseCopy, any Error>
        var keys: Set<RequestKey>
    }

    /// The number of milliseconds without a request after which the copy is deleted.
    static let patience: UInt64 = 60_000

    var making: Making?
    var offer: Offer?
    /// The latest copy that was read to its end. It is deleted, but a repeat of the request that read the end gets the
    /// same answer.
    private var released: (id: UUIDv7, bytes: UInt64)?

    mutating func release() {
        released = offer.map { ($0.id, $0.copy.bytes) }
        offer = nil
    }

    /// Whether a request reads the end of the copy that was released last.
    func hasReleased(_ id: UUIDv7?, offset: UInt64) -> Bool {
        released.map { $0.id == id && offset >= $0.bytes } ?? false
    }

    mutating func dropUnread(now: UInt64) {
        if let offer, now - offer.used >= Self.patience { self.offer = nil }
    }

    /// Returns the copy for a request, if the copy has answered the same request before, or if it was made for the same
    /// client and the client has not begun to read it.
    mutating func taken(by key: RequestKey, now: UInt64) -> Offer? {
        guard var offer, offer.keys.contains(key) || (!offer.isRead && offer.keys.contains { $0.client == key.client })
        else { return nil }
        offer.keys.insert(key)
        offer.used = now
        self.offer = offer
        return offer
    }

    /// Adds the request to the copy that is being made, if that copy is for the same client.
    ///
    /// - Returns: whether the copy that is being made is for the same client.
    mutating func joined(by key: RequestKey) -> Bool {
        guard making?.keys.contains(where: { $0.client == key.client }) == true else { return false }
        making?.keys.insert(key)
        return true
    }
}
