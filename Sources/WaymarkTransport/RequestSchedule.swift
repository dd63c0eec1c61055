// SPDX-License-Identifier: Apache-2.0

import DequeModule

/// The requests that wait for an answer: decides which one is sent next, and which ones are over.
///
/// A schedule is pure: events go in with the monotonic milliseconds at which they happen, and the requests to send come
/// out; it has no sockets and no clock. The rule:
///
/// - A request is due when it was never sent, when ``ResendPolicy`` says so, and at every new connection.
/// - Due requests are sent in order while there is a connection that accepts them. Requests that the connection does
///   not accept stay first in the order, and nothing is offered until the connection accepts messages again.
struct RequestSchedule<Request> {
    /// A waiting request. A class, so that one look-up serves all of its records.
    final class Entry {
        let key: RequestKey
        let request: Request
        let bytes: Int
        let deadline: UInt64
        /// The time of the latest copy; nil if none was sent.
        fileprivate(set) var sentAt: UInt64?
        /// The number of copies sent.
        fileprivate(set) var copies = 0
        /// The number of copies sent on connections that have ended.
        fileprivate(set) var copiesBefore = 0
        /// Whether the entry is in `due`.
        fileprivate var isDue = false
        /// Whether the request has ended. The entry may still be in `due`, where it is then skipped.
        fileprivate var isOver = false

        fileprivate init(_ key: RequestKey, _ request: Request, bytes: Int, deadline: UInt64) {
            (self.key, self.request, self.bytes, self.deadline) = (key, request, bytes, deadline)
        }

        /// The number of copies without an answer once one answer has arrived.
        var unanswered: Int { max(0, copies - 1) }

        /// The milliseconds left for an answer, as written to the request's header.
        func left(at now: UInt64) -> UInt32 { UInt32(clamping: deadline - min(now, deadline)) }
    }

    enum Addition { case added, inPlaceOfAnother, tooMany }

    private let limit: Int
    private let byteLimit: Int
    private let policy: ResendPolicy
    private var entries: [RequestKey: Entry] = [:]
    /// The requests to send, in order. Some of them may be over.
    private var due: Deque<Entry> = []
    /// The bytes of the bodies of all requests that wait.
    private(set) var bytes = 0
    private(set) var isConnected = false
    /// Whether the connection accepts no messages at the moment.
    private(set) var isBlocked = false

    /// - Parameters:
    ///   - limit: the most requests that may wait.
    ///   - byteLimit: the most bytes of their bodies together.
    init(limit: Int = 65_536, byteLimit: Int = 64 * 1024 * 1024, policy: ResendPolicy = ResendPolicy()) {
        (self.limit, self.byteLimit, self.policy) = (limit, byteLimit, policy)
    }

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }
    /// An upper bound of the due requests: requests that ended while due are still counted.
    var dueCount: Int { due.count }

    subscript(key: RequestKey) -> Entry? { entries[key] }

    /// Adds a request. A request with the same key that waits already is replaced, and its copies are inherited.
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
        if entry.sentAt == nil || known?.isDue == true { makeDue(entry) }
        return known == nil ? .added : .inPlaceOfAnother
    }

    /// Takes the next request to send. Report the result with ``sent(_:at:)`` or ``blocked(_:)``.
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

    /// Puts back requests that the connection did not accept. They become the first in the order, and ``next(_:)``
    /// returns nothing until ``unblock()``.
    mutating func blocked(_ refused: some BidirectionalCollection<Entry>) {
        isBlocked = true
        for entry in refused.reversed() where !entry.isDue {
            entry.isDue = true
            due.prepend(entry)
        }
    }

    /// Records that the service refused a copy without executing it. The request goes on waiting.
    ///
    /// - Returns: false if no such request waits.
    func refused(_ key: RequestKey) -> Bool {
        guard let entry = entries[key] else { return false }
        entry.copies = max(0, entry.copies - 1)
        return true
    }

    mutating func unblock() { isBlocked = false }

    /// Makes all waiting requests due because there is a new connection, including those sent on an earlier one.
    mutating func connect() {
        (isConnected, isBlocked) = (true, false)
        due.removeAll(keepingCapacity: true)
        for entry in entries.values.sorted(by: { $0.key.sequence < $1.key.sequence }) {
            entry.copiesBefore = entry.copies
            makeDue(entry)
        }
    }

    mutating func disconnect() { (isConnected, isBlocked) = (false, false) }

    /// Makes requests due that have waited long enough. Call it regularly.
    ///
    /// - Returns: the requests whose time is over, with the outcome of each. They wait no more.
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
        // Without a connection ``next(_:)`` does not remove ended requests, and each one keeps its body in memory.
        if due.count > entries.count { due.removeAll { $0.isOver } }
        return over
    }

    /// Ends one request: it waits no more.
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
