// SPDX-License-Identifier: Apache-2.0

import DequeModule

/// The requests that wait for an answer. Decides which request is sent next, and which requests are over.
///
/// A schedule does no I/O and reads no clock: it is told the monotonic milliseconds, and returns the requests to send.
/// The rule:
///
/// - A request is due if it was never sent, if ``ResendPolicy`` says so, and at every new connection.
/// - Due requests are sent in order while there is a connection that accepts them. Requests that the connection does
///   not accept stay first in the order, and no request is offered until the connection accepts messages again.
struct RequestSchedule<Request> {
    /// A waiting request. It is a class, so that one look-up in `entries` gives access to all of its fields.
    final class Entry {
        let key: RequestKey
        let request: Request
        let bytes: Int
        let deadline: UInt64
        /// The time at which the latest copy was sent; nil if no copy was sent.
        fileprivate(set) var sentAt: UInt64?
        /// The number of copies sent.
        fileprivate(set) var copies = 0
        /// The number of copies sent on connections that have ended.
        fileprivate(set) var copiesBefore = 0
        /// Whether the entry is in `due`.
        fileprivate var isDue = false
        /// Whether the request has ended. Its entry may still be in `due`, but is then skipped.
        fileprivate var isOver = false

        fileprivate init(_ key: RequestKey, _ request: Request, bytes: Int, deadline: UInt64) {
            (self.key, self.request, self.bytes, self.deadline) = (key, request, bytes, deadline)
        }

        /// The number of copies that stay without an answer after one answer has arrived.
        var unanswered: Int { max(0, copies - 1) }

        /// Returns how many milliseconds are left for an answer, as written to the request's header.
        func left(at now: UInt64) -> UInt32 { UInt32(clamping: deadline - min(now, deadline)) }
    }

    enum Addition { case added, inPlaceOfAnother, tooMany }

    private let limit: Int
    private let byteLimit: Int
    private let policy: ResendPolicy
    private var entries: [RequestKey: Entry] = [:]
    /// The requests to send, in order. Some of them may have ended already.
    private var due: Deque<Entry> = []
    /// The number of bytes in the bodies of all waiting requests.
    private(set) var bytes = 0
    private(set) var isConnected = false
    /// Whether the connection accepts no messages at the moment.
    private(set) var isBlocked = false

    /// - Parameters:
    ///   - limit: the maximum number of waiting requests.
    ///   - byteLimit: the maximum number of bytes in the bodies of all waiting requests.
    init(limit: Int = 65_536, byteLimit: Int = 64 * 1024 * 1024, policy: ResendPolicy = ResendPolicy()) {
        (self.limit, self.byteLimit, self.policy) = (limit, byteLimit, policy)
    }

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }
    /// An upper bound for the number of due requests: some of those counted may have ended.
    var dueCount: Int { due.count }

    subscript(key: RequestKey) -> Entry? { entries[key] }

    /// Adds a request. If a request with the same key is waiting, the new one replaces it and takes over its copies.
    mutating func add(_ key: RequestKey, _ request: Request, bytes size: Int, deadline: UInt64) -> Addition {
        guard entries.count < limit && bytes + size <= byteLimit || entries[key] != nil else { return .tooMany }
        let entry = Entry(key, request, bytes: size, deadline: deadline)
        let known = entries.updateValue(entry, forKey: key)
        if let known {
            (entry.sentAt, entry.copies, entry.copiesBefore) = (known.sentAt, known.copies, known.copiesBefore)
            forget(known)
        }
        bytes += size
        if entry.sentAt == nil || known?.isDue == true { makeDue(entry) }
        return known == nil ? .added : .inPlaceOfAnother
    }

    /// Removes and returns the next request to send. Report the result with ``sent(_:at:)`` or ``blocked(_:)``.
    mutating func next(_ now: UInt64) -> Entry? {
        guard isConnected, !isBlocked else { return nil }
        while let entry = due.popFirst() {
            entry.isDue = false
            if !entry.isOver, !policy.isOver(deadline: entry.deadline, at: now) { return entry }
        }
        return nil
    }

    mutating func sent(_ entry: Entry, at now: UInt64) {
        entry.sentAt = now
        entry.copies += 1
    }

    /// Puts back requests that the connection did not accept. They become the first to be sent, and ``next(_:)``
    /// returns nil until ``unblock()`` is called.
    mutating func blocked(_ refused: some BidirectionalCollection<Entry>) {
        isBlocked = true
        for entry in refused.reversed() where !entry.isDue {
            entry.isDue = true
            due.prepend(entry)
        }
    }

    /// Records that the service refused a copy without executing it. The request keeps waiting.
    ///
    /// - Returns: false if no request with this key is waiting.
    func refused(_ key: RequestKey) -> Bool {
        guard let entry = entries[key] else { return false }
        entry.copies = max(0, entry.copies - 1)
        return true
    }

    mutating func unblock() { isBlocked = false }

    /// Makes all waiting requests due because there is a new connection, including those sent before.
    mutating func connect() {
        (isConnected, isBlocked) = (true, false)
        due.removeAll(keepingCapacity: true)
        for entry in entries.values.sorted(by: { $0.key.sequence < $1.key.sequence }) {
            entry.copiesBefore = entry.copies
            makeDue(entry)
        }
    }

    mutating func disconnect() { (isConnected, isBlocked) = (false, false) }

    /// Makes the requests due that have waited long enough without an answer. Call it regularly.
    ///
    /// - Returns: the requests whose time is over, with the outcome of each. They no longer wait.
    mutating func look(_ now: UInt64) -> [(entry: Entry, outcome: ChannelOutcome)] {
        var over: [(entry: Entry, outcome: ChannelOutcome)] = []
        for entry in entries.values {
            if policy.isOver(deadline: entry.deadline, at: now) {
                over.append((entry, policy.ending(copies: entry.copies)))
            } else if !entry.isDue, let sentAt = entry.sentAt,
                policy.isDue(copies: entry.copies, sentAt: sentAt, at: now)
            {
                makeDue(entry)
            }
        }
        for (entry, _) in over { end(entry.key) }
        // Without a connection ``next(_:)`` does not remove ended requests from `due`, which keep their bodies in
        // memory.
        if due.count > entries.count { due.removeAll { $0.isOver } }
        return over
    }

    /// Ends one request, and returns its entry; nil if no request with this key is waiting.
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
}
