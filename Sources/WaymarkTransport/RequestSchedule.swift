// SPDX-License-Identifier: Apache-2.0

import DequeModule

/// The requests that wait for an answer: which of them is to be sent next, and when each one's time is over.
///
/// Pure: what happens goes in, with the monotonic milliseconds at which it does, and what is to be done comes out; no
/// sockets, no clock. The rule:
///
/// - A request is due when it was never sent, when it stays unanswered for a pause that doubles with each copy, and at
///   every new connection.
/// - What is due leaves in order, as long as there is a connection and it takes something. What it does not take stays
///   first in the order, and nothing is offered until it takes something again.
struct RequestSchedule<Request> {
    /// A request that waits. An object, so that it is looked up once for all that is noted of it.
    final class Entry {
        let key: RequestKey
        let request: Request
        let bytes: Int
        let deadline: UInt64
        /// When it was sent last; nil: never.
        fileprivate(set) var sentAt: UInt64?
        /// How often it was sent.
        fileprivate(set) var copies = 0
        /// How often it was sent on connections that have ended.
        fileprivate(set) var copiesBefore = 0
        /// Whether it is in the order of what is due.
        fileprivate var isDue = false
        /// It waits no more: whoever meets it in the order passes it over.
        fileprivate var isOver = false

        fileprivate init(_ key: RequestKey, _ request: Request, bytes: Int, deadline: UInt64) {
            (self.key, self.request, self.bytes, self.deadline) = (key, request, bytes, deadline)
        }
    }

    enum Addition { case added, inPlaceOfAnother, tooMany }

    private let limit: Int
    private let byteLimit: Int
    /// Answers are awaited this long before a request is sent again; twice as long after the second copy, and so on.
    private let pause: UInt64
    private var entries: [RequestKey: Entry] = [:]
    private var due: Deque<Entry> = []
    /// What the bodies of those that wait take.
    private(set) var bytes = 0
    private(set) var isConnected = false
    /// The connection takes nothing at the moment.
    private(set) var isBlocked = false

    init(limit: Int = 65_536, byteLimit: Int = 64 * 1024 * 1024, pause: UInt64 = 1_000) {
        (self.limit, self.byteLimit, self.pause) = (limit, byteLimit, pause)
    }

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }
    /// At most so many are due: those that ended meanwhile are counted too.
    var dueCount: Int { due.count }

    subscript(key: RequestKey) -> Entry? { entries[key] }

    /// Begins to wait. The same key again takes the place of the one that waits, and counts as sent as often as that.
    mutating func add(_ key: RequestKey, _ request: Request, bytes size: Int, deadline: UInt64) -> Addition {
        let known = entries[key]
        guard known != nil || entries.count < limit && bytes + size <= byteLimit else { return .tooMany }
        let entry = Entry(key, request, bytes: size, deadline: deadline)
        if let known {
            (entry.sentAt, entry.copies, entry.copiesBefore) = (known.sentAt, known.copies, known.copiesBefore)
            forget(known)
        }
        entries[key] = entry
        bytes += size
        if entry.sentAt == nil { makeDue(entry) }
        return known == nil ? .added : .inPlaceOfAnother
    }

    /// What is to be sent now, taken off the order: told of next is ``sent(_:at:)`` or ``blocked(_:)``.
    mutating func next(_ now: UInt64) -> Entry? {
        guard isConnected, !isBlocked else { return nil }
        while let entry = due.popFirst() {
            entry.isDue = false
            if !entry.isOver, now < entry.deadline { return entry }
        }
        return nil
    }

    mutating func sent(_ entry: Entry, at now: UInt64) {
        entry.sentAt = now
        entry.copies += 1
    }

    /// The connection did not take these: they are first in the order, and nothing is next until ``unblock()``.
    mutating func blocked(_ refused: some BidirectionalCollection<Entry>) {
        isBlocked = true
        for entry in refused.reversed() where !entry.isDue {
            entry.isDue = true
            due.prepend(entry)
        }
    }

    mutating func unblock() { isBlocked = false }

    /// A new connection: whatever waits is sent on it, also what was sent on the one before.
    mutating func connect() {
        (isConnected, isBlocked) = (true, false)
        due.removeAll(keepingCapacity: true)
        for entry in entries.values.sorted(by: { $0.key.sequence < $1.key.sequence }) {
            entry.copiesBefore = entry.copies
            makeDue(entry)
        }
    }

    mutating func disconnect() { (isConnected, isBlocked) = (false, false) }

    /// To be called from time to time: finds what has waited long enough to be sent again.
    ///
    /// - Returns: those whose time is over. They wait no more.
    mutating func look(_ now: UInt64) -> [Entry] {
        var over: [Entry] = []
        for entry in entries.values {
            if now >= entry.deadline {
                over.append(entry)
            } else if !entry.isDue, let sentAt = entry.sentAt, now - sentAt >= pause(after: entry.copies) {
                makeDue(entry)
            }
        }
        for entry in over { end(entry.key) }
        // Without a connection nothing else takes them off, and each holds its body.
        if due.count > entries.count { due.removeAll { $0.isOver } }
        return over
    }

    /// Waits no more for this one.
    @discardableResult
    mutating func end(_ key: RequestKey) -> Entry? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        forget(entry)
        return entry
    }

    mutating func endAll() -> [Entry] {
        let all = Array(entries.values)
        for entry in all { end(entry.key) }
        due.removeAll()
        return all
    }

    private mutating func forget(_ entry: Entry) {
        entry.isOver = true
        bytes -= entry.bytes
    }

    private mutating func makeDue(_ entry: Entry) {
        entry.isDue = true
        due.append(entry)
    }

    /// Each copy waits longer for its answer than the one before: a service that is slow is not helped by more.
    private func pause(after copies: Int) -> UInt64 { pause << UInt64(min(3, max(0, copies - 1))) }
}
