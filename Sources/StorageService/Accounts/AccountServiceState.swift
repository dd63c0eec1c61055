// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import ServiceHost
import StorageRules
import WaymarkProtocol
import WaymarkTransport

/// The state of ``AccountService``: the book of accounts, limits of signing in, and the services that follow the book.
struct AccountServiceState {
    /// The number of milliseconds for which an unused invitation is valid.
    static let invitation: UInt64 = 7 * 86_400_000
    /// The number of milliseconds for which a browser's session is valid.
    static let session: UInt64 = 30 * 86_400_000
    /// The number of milliseconds without a request after which a query service no longer counts as a follower.
    private static let silence: UInt64 = 3_000
    let book: AccountBook
    /// Whether anybody may make an account.
    let isOpen: Bool
    var limits = SignInLimits()
    var hasher = PasswordHasher()
    /// The requests in progress. A repeat is dropped, because the answer to the first copy answers it too.
    var underWay: Set<RequestKey> = []
    /// The query services that follow the accounts, by connection. For each, the revision of accounts that it last
    /// reported, and when it reported that, in milliseconds on the monotonic clock.
    private var followers: [[UInt8]: (revision: UInt64, at: UInt64)] = [:]
    /// The revision of the newest key that was deleted since the start.
    private var forgotten: UInt64 = 0
    /// How many changes an account may make to its own keys and password: 200 at once, then one more every 30 seconds.
    private var paces = TokenBuckets<UInt64>(most: 200, every: 30_000)
    /// Sent when the book changes. Query services wait for this signal.
    let news = ChangeSignal()
    /// Sent when a query service reports which revision it has.
    let heard = ChangeSignal()
    /// Failed attempts to sign in, and requests that are refused because of the caller's role. They are counted
    /// separately, so that many of one kind do not keep the other kind out of the audit trail.
    var failures = NotedFailures()
    var refusals = NotedFailures()

    init(_ book: AccountBook, isOpen: Bool = false) { (self.book, self.isOpen) = (book, isOpen) }

    mutating func follows(_ connection: [UInt8], _ revision: UInt64, now: UInt64) {
        followers[connection] = (revision, now)
        if followers.count > 1_000 { followers = followers.filter { now - $0.value.at < Self.silence } }
        heard.send()
    }

    /// Whether every query service that follows the book has its newest revision.
    func isKnownToAll(now: UInt64) -> Bool {
        followers.values.allSatisfy { $0.revision >= book.revision || now - min(now, $0.at) >= Self.silence }
    }

    /// Enters the changes of a commit into the book.
    mutating func enter(_ news: AccountNews, now: UInt64) {
        forgotten = max(forgotten, news.forgotten)
        book.enter(news.accounts, news.keys, revision: news.revision, now: now)
    }

    /// Whether a follower needs the whole table of accounts. It does if it has no table or the table of another run, or
    /// if it may still hold a key whose row has been deleted.
    func needsAll(_ follow: WireFollowAccounts, run: UUIDv7) -> Bool {
        [UInt8](follow.epoch) != run.bytes || follow.since > book.revision
            || max(follow.since, follow.begun) < forgotten
    }

    /// Counts a change that an account makes to its own keys or password. The number of such changes is limited,
    /// because each is written into the audit trail and sent to all query services.
    ///
    /// - Returns: the time to wait in milliseconds; nil if the change is allowed now.
    mutating func beginChange(by account: UInt64, now: UInt64) -> UInt32? {
        if let wait = paces.wait(account, now: now) { return UInt32(clamping: wait) }
        paces.take(account, now: now)
        return nil
    }
}
