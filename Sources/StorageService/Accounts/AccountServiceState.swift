// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import ServiceHost
import StorageRules
import WaymarkProtocol
import WaymarkTransport

/// The state in memory of ``AccountService``: the book, limits of signing in, and the services that follow the book.
struct AccountServiceState {
    /// Validity of an unused invitation, in milliseconds.
    static let invitation: UInt64 = 7 * 86_400_000
    /// Validity of a browser's session, in milliseconds.
    static let session: UInt64 = 30 * 86_400_000
    /// Milliseconds without a request after which a service that follows the accounts counts as gone.
    private static let silence: UInt64 = 3_000
    let book: AccountBook
    var limits = SignInLimits()
    var hasher = PasswordHasher()
    /// Requests in progress. A repeated copy of one is dropped: the answer to the first copy is its answer too.
    var underWay: Set<RequestKey> = []
    /// Query services that follow the accounts, by connection: the revision of accounts that each one has, and when it
    /// reported that, in monotonic milliseconds.
    private var followers: [[UInt8]: (revision: UInt64, at: UInt64)] = [:]
    /// The revision at which storage deleted the newest key that it has deleted since its start.
    private var forgotten: UInt64 = 0
    /// Changes that an account may make of its own keys and password: how many at once, and the milliseconds until one
    /// more.
    private var paces = TokenBuckets<UInt64>(most: 200, every: 30_000)
    /// Sent when the book changes: query services wait for it.
    let news = ChangeSignal()
    /// Sent when a query service reports the revision that it has.
    let heard = ChangeSignal()
    /// Failed attempts to sign in, and requests that a role alone refuses. They are counted apart, so that neither
    /// fills the audit trail or hides the other.
    var failures = NotedFailures()
    var refusals = NotedFailures()

    init(_ book: AccountBook) { self.book = book }

    mutating func follows(_ connection: [UInt8], _ revision: UInt64, now: UInt64) {
        followers[connection] = (revision, now)
        if followers.count > 1_000 { followers = followers.filter { now - $0.value.at < Self.silence } }
        heard.send()
    }

    /// Whether every service that follows has the book's newest revision.
    func isKnownToAll(now: UInt64) -> Bool {
        followers.values.allSatisfy { $0.revision >= book.revision || now - min(now, $0.at) >= Self.silence }
    }

    /// Enters the changes of a commit into the book.
    mutating func enter(_ news: AccountNews, now: UInt64) {
        forgotten = max(forgotten, news.forgotten)
        book.enter(news.accounts, news.keys, revision: news.revision, now: now)
    }

    /// Whether a follower needs the whole table: it has nothing, it has the table of another run, or it may have missed
    /// the end of a key whose row has been deleted.
    func needsAll(_ follow: WireFollowAccounts, run: UUIDv7) -> Bool {
        [UInt8](follow.epoch) != run.bytes || follow.since > book.revision
            || max(follow.since, follow.begun) < forgotten
    }

    /// Counts a change that an account makes of itself. Such changes are limited because each is written into the audit
    /// trail and sent to all services.
    ///
    /// - Returns: nil, or the time to wait in milliseconds.
    mutating func beginChange(by account: UInt64, now: UInt64) -> UInt32? {
        if let wait = paces.wait(account, now: now) { return UInt32(clamping: wait) }
        paces.take(account, now: now)
        return nil
    }
}
