// SPDX-License-Identifier: Apache-2.0

import WaymarkClient

/// One run of `watch`: requests the list, follows the changes, and requests the list again if a change may affect it.
struct WatchRun: Sendable {
    /// The minimum time between two requests, because nobody reads faster.
    private static let pace = Duration.milliseconds(100)

    let session: Session
    let query: WatchQuery
    let state: WatchState
    let screen: WatchScreen
    let isQuiet: Bool

    func run(for time: Duration?) async throws {
        _ = try await session.greet()
        try await untilOneEnds(within: time, [{ try await watch() }, { await screen.fade() }])
    }

    /// Follows the list. If the history was replaced or compacted, starts again, because the list does not depend on
    /// the past.
    private func watch() async throws {
        while !Task.isCancelled {
            let list = try await ask(state.take().here, atLeast: nil)
            try screen.show(list)
            do {
                try await untilOneEnds([{ try await follow(after: list.position) }, { try await keep(list) }])
            } catch let error as ClientError where error.mayPass || ExitStatus(error) == .historyGone {
                // If the log no longer has the next changes, start again, too: the list needs only the present.
                tell("lost", "\(Failure(error)?.message ?? "") Starting again.")
            }
            try? await Task.sleep(for: Session.pause)
        }
    }

    private func follow(after position: Position) async throws {
        let filter = query.feedFilter(around: state.here)
        var feed = session.client.feed(since: .after(position), matching: filter).makeAsyncIterator()
        while let item = try await feed.next(isolation: nil) {
            switch item {
            case .change(let change): state.add(WatchedChange(change))
            case .lost(let loss): tell("lost", loss.sentence)
            case .resumed(let position, _): tell("resumed", "live again: resumed at \(position.rev)")
            case .landmark, .synced, .reached, .gap: break
            }
        }
    }

    private func keep(_ first: WatchList) async throws {
        var list = first
        var asked = ContinuousClock.now
        for await _ in state.bell() {
            let (here, news) = state.take()
            guard let least = list.judge(news, query) ?? (here == list.here ? nil : list.position) else { continue }
            try? await Task.sleep(until: asked + Self.pace)
            list = try await ask(here, atLeast: least)
            asked = .now
            try screen.show(list)
        }
    }

    /// Requests the list at the position `least` or a later one. Repeats the request until the service answers.
    private func ask(_ here: Coordinate, atLeast least: Position?) async throws -> WatchList {
        try await session.persistently("Trying again.", tell: tell) { _ in
            let page = try await session.client.near(
                here, limit: query.limit, radius: query.radius, filter: query.filter, atLeast: least)
            return WatchList(here: here, hits: Array(page.hits), position: page.freshness.position)
        }
    }

    private func tell(_ code: String, _ message: String) {
        if !isQuiet { screen.notice(code, message) }
    }
}
