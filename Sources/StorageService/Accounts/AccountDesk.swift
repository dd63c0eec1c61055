// SPDX-License-Identifier: Apache-2.0

import Accounts
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// What storage holds in memory for accounts.
struct AccountDesk {
    /// An invitation waits for so long to be used, in milliseconds.
    static let invitation: UInt64 = 7 * 86_400_000
    /// A session of a browser lasts for so long, in milliseconds.
    static let session: UInt64 = 30 * 86_400_000
    /// A service that has not asked for so many milliseconds is gone.
    private static let silence: UInt64 = 3_000
    let book = AccountBook()
    var limits = SignInLimits()
    var clerk = PasswordClerk()
    /// Requests in progress. A copy of one is dropped: it gets the same answer.
    var underWay: Set<RequestKey> = []
    /// The revision of accounts that each service has, by its connection, and when it said so in monotonic milliseconds.
    private var followers: [[UInt8]: (revision: UInt64, at: UInt64)] = [:]
    /// Query services that wait for news.
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastWaiting = 0
    /// Of failed attempts to sign in, and of what a role alone refuses: neither must fill the audit trail, nor hide the other.
    var failures = NotedFailures()
    var refusals = NotedFailures()

    mutating func follows(_ connection: [UInt8], _ revision: UInt64, now: UInt64) {
        followers[connection] = (revision, now)
        if followers.count > 1_000 { followers = followers.filter { now - $0.value.at < Self.silence } }
    }

    /// Whether all services that follow have what is in the book.
    func isKnownToAll(now: UInt64) -> Bool {
        followers.values.allSatisfy { $0.revision >= book.revision || now - min(now, $0.at) >= Self.silence }
    }

    mutating func ticket() -> Int {
        lastWaiting += 1
        return lastWaiting
    }

    /// Lets all who wait for news look again.
    mutating func wake() {
        let all = waiting
        waiting = [:]
        for continuation in all.values { continuation.resume() }
    }
}
