// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import ServiceHost
import StorageRules
import WaymarkProtocol
import WaymarkTransport

/// What storage holds in memory for accounts.
struct AccountDesk {
    /// An invitation waits for so long to be used, in milliseconds.
    static let invitation: UInt64 = 7 * 86_400_000
    /// A session of a browser lasts for so long, in milliseconds.
    static let session: UInt64 = 30 * 86_400_000
    /// A service that has not asked for so many milliseconds is gone.
    private static let silence: UInt64 = 3_000
    let book: AccountBook
    var limits = SignInLimits()
    var clerk = PasswordClerk()
    /// Requests in progress. A copy of one is dropped: it gets the same answer.
    var underWay: Set<RequestKey> = []
    /// The revision of accounts that each service has, by its connection, and when it said so in monotonic milliseconds.
    private var followers: [[UInt8]: (revision: UInt64, at: UInt64)] = [:]
    /// That of the newest key that storage has forgotten since it started.
    private var forgotten: UInt64 = 0
    /// Changes of its own keys and its password that an account may make at once, and the milliseconds until one more.
    private var paces = TokenBuckets<UInt64>(most: 200, every: 30_000)
    /// The book has changed: query services wait for news.
    let news = ChangeSignal()
    /// A query service has told what it has.
    let heard = ChangeSignal()
    /// Of failed attempts to sign in, and of what a role alone refuses: neither must fill the audit trail, nor hide the other.
    var failures = NotedFailures()
    var refusals = NotedFailures()

    init(_ book: AccountBook) { self.book = book }

    mutating func follows(_ connection: [UInt8], _ revision: UInt64, now: UInt64) {
        followers[connection] = (revision, now)
        if followers.count > 1_000 { followers = followers.filter { now - $0.value.at < Self.silence } }
        heard.send()
    }

    /// Whether all services that follow have what is in the book.
    func isKnownToAll(now: UInt64) -> Bool {
        followers.values.allSatisfy { $0.revision >= book.revision || now - min(now, $0.at) >= Self.silence }
    }

    /// Enters what a commit has changed.
    mutating func enter(_ news: AccountNews, now: UInt64) {
        forgotten = max(forgotten, news.forgotten)
        book.enter(news.accounts, news.keys, revision: news.revision, now: now)
    }

    /// Whether a follower has to begin anew: it has nothing, or what it has is of another run, or lacks that a key has ended
    /// whose row is gone.
    func needsAll(_ follow: WireFollowAccounts, run: UUIDv7) -> Bool {
        [UInt8](follow.epoch) != run.bytes || follow.since > book.revision
            || max(follow.since, follow.begun) < forgotten
    }

    /// Begins a change that an account makes of itself: each is written into the audit trail, and told to all services.
    ///
    /// - Returns: nil, or the time to wait in milliseconds.
    mutating func beginChange(by account: UInt64, now: UInt64) -> UInt32? {
        if let wait = paces.wait(account, now: now) { return UInt32(clamping: wait) }
        paces.take(account, now: now)
        return nil
    }
}
