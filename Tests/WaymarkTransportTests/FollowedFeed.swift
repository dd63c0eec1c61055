// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Geodesy
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import ZeroMQ

@testable import WaymarkProtocol
@testable import WaymarkTransport

/// A publisher and a follower on one loop. The test itself answers the requests to the log.
actor FollowedFeed {
    static let epoch = UUIDv7(high: 1, low: 1)
    static let run = UUIDv7(high: 2, low: 1)

    private let loop = EventLoop.forTest("followed")
    let context: Context
    private var publisher: FeedPublisher?
    private var follower: FeedFollower?
    private var handler: ZAPHandler?
    private(set) var told: [String] = []
    private(set) var pulls: [Position] = []
    /// For each pull the milliseconds that its page may wait.
    private(set) var waits: [UInt32] = []
    private(set) var losses: [FeedLoss] = []
    private(set) var locates = 0
    /// The number of unanswered questions where changes are published.
    private(set) var questions = 0
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init() throws { context = try Context() }

    /// - Parameter patience: the milliseconds of silence after which the publisher counts as away; by default never.
    func follow(_ filter: FeedFilter = .everything, from rev: UInt64 = 0, patience: UInt64 = 3_600_000) {
        var timing = FeedFollower.Timing()
        (timing.patience, timing.look, timing.retryPause, timing.locatePause) = (patience, 20, 10, 10)
        follower = FeedFollower(
            loop: loop, context: context, filter: filter, from: Position(epoch: Self.epoch, rev: rev, run: nil),
            timing: timing,
            hooks: FeedFollower.Hooks(
                pull: { [weak self] position, wait in
                    self?.assumeIsolated {
                        $0.pulls.append(position)
                        $0.waits.append(wait)
                    }
                },
                locate: { [weak self] in self?.assumeIsolated { $0.asked() } },
                tell: { [weak self] event in self?.assumeIsolated { $0.heard(event) } }))
    }

    private func heard(_ event: FeedEvent) {
        if case .lost(let loss) = event { losses.append(loss) }
        told.append(Self.text(event))
    }

    private func asked() {
        locates += 1
        questions += 1
    }

    func publish(
        from head: UInt64 = 0, run: UUIDv7 = run, at endpoint: String = "tcp://127.0.0.1:*",
        security: SocketSecurity? = nil
    ) throws -> String {
        publisher?.close()
        let publisher = try FeedPublisher(
            loop: loop, context: context, endpoint: endpoint,
            numbering: FeedNumbering(epoch: Self.epoch, run: run, head: head, floor: 1), beacon: .milliseconds(5),
            rule: ConnectionRule(security: security))
        self.publisher = publisher
        return publisher.endpoint
    }

    /// From now on a publisher with keys accepts nobody's.
    func refuseAllKeys() async throws { handler = try await ZAPHandler(context: context) }

    func begin(_ numbering: FeedNumbering) { publisher?.begin(numbering) }

    func silencePublisher() {
        publisher?.close()
        publisher = nil
    }

    /// - Parameter key: the one that the publisher is said to have.
    func subscribe(to endpoint: String, key: CurveKey? = nil) throws {
        try follower?.subscribe(to: FeedAddress(endpoint, key: key))
    }

    /// Publishes all of these as one commit.
    func commit(_ revs: ClosedRange<UInt64>) throws {
        var failure: (any Error)?
        publisher?.together {
            for rev in revs { do { try change(rev) } catch { failure = error } }
        }
        if let failure { throw failure }
    }

    /// - Parameter operation: nil: one of a later version.
    func change(
        _ rev: UInt64, _ operation: Change.Operation? = .added, kind: String = "", payload: [UInt8]? = nil
    ) throws {
        let subject = FilterSubject(
            id: UUIDv7(high: 3, low: rev), coordinate: try Coordinate(latitude: 1, longitude: 2), kind: kind, user: "",
            source: "")
        publisher?.publish(
            EncodedChange(
                rev: rev, operation: operation,
                subjects: .success(EncodedChange.Subjects(after: subject, before: nil)),
                bytes: payload ?? Self.wire(rev, kind: kind).encoded, landmark: 0..<0))
    }

    static func wire(_ rev: UInt64, kind: String = "") -> WireChange {
        .with {
            $0.rev = rev
            $0.operation = .added
            $0.landmark = .with {
                $0.id = UUIDv7(high: 3, low: rev).wire
                ($0.name, $0.lat, $0.lng, $0.kind, $0.version, $0.rev) = ("\(rev)", 1, 2, kind, 1, rev)
            }
        }
    }

    func answer(_ revs: [UInt64], through: UInt64, run: UUIDv7 = run) {
        guard let page = try? Self.page(revs, through: through, run: run) else { return }
        follower?.pulled(.success(page))
    }

    static func page(_ revs: [UInt64], through: UInt64, run: UUIDv7 = run) throws -> PulledPage {
        let reply = WireReply.with {
            $0.changes.changes = revs.map { wire($0) }
            $0.changes.through = through
            $0.changes.run = run.wire
        }
        return try #require(PulledPage(encoded: reply.encoded))
    }

    func fail(_ code: ErrorCode) { follower?.pulled(.failure(ServiceError(code, "No."))) }
    func located(_ endpoint: String?) {
        questions = 0
        follower?.located(endpoint.map { FeedAddress($0) })
    }
    func poll() { follower?.poll() }
    func hold() { follower?.hold() }
    func release() { follower?.release() }
    var silence: UInt64 { follower?.silence ?? .max }
    var unreadable: UInt64 { follower?.unreadable ?? 0 }
    func has(_ text: String) -> Bool { told.contains(text) }

    func until(
        sourceLocation: SourceLocation = #_sourceLocation, _ condition: @Sendable (isolated FollowedFeed) -> Bool
    ) async throws {
        try await TestTurns.until(
            "this is so, after \(told) \(pulls) \(locates)", sourceLocation: sourceLocation
        ) { condition(self) }
    }

    func close() async {
        follower?.close()
        publisher?.close()
        (follower, publisher) = (nil, nil)
        await handler?.stop()
        context.shutdown()
        await loop.stop()
    }

    private static func text(_ event: FeedEvent) -> String {
        switch event {
        case .change(let change, let operation): "\(operation) \(change.rev)"
        case .reached(let rev): "reached \(rev)"
        case .lost: "lost"
        case .gap(let rev): "gap \(rev)"
        case .resumed(let rev, let replayed): "resumed \(rev) replayed \(replayed)"
        case .ended(let error): "ended \(error.code.name)"
        }
    }
}

/// Runs `body` with a feed and closes the feed on its own thread, also after an error.
func withFollowedFeed(_ body: (FollowedFeed) async throws -> Void) async throws {
    let feed = try FollowedFeed()
    do {
        try await body(feed)
    } catch {
        await feed.close()
        throw error
    }
    await feed.close()
}
