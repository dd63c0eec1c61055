// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import WaymarkClient
import WaymarkProtocol

/// One `watch`: requests the list, follows the changes, and requests the list again when a change may affect it.
struct WatchRun: Sendable {
    /// The least time between two requests: nobody reads faster.
    private static let pace = Duration.milliseconds(100)
    private static let pause = Duration.milliseconds(500)

    let session: Session
    let query: WatchQuery
    let state: WatchState
    let screen: WatchScreen
    let isQuiet: Bool

    func run(for time: Duration?) async throws {
        _ = try await session.greet()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watch() }
            group.addTask { await screen.fade() }
            if let time { group.addTask { try? await Task.sleep(for: time) } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Starts again when the history is another one or was compacted, because the list does not depend on the past.
    private func watch() async throws {
        while let list = try await ask(state.take().here, atLeast: nil) {
            try screen.show(list)
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await follow(after: list.position) }
                    group.addTask { try await keep(list) }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            } catch let error as ClientError where error.mayPassForAWatcher {
                tell("lost", "\(Failure(error)?.message ?? "") Starting again.")
            }
            try? await Task.sleep(for: Self.pause)
            if Task.isCancelled { return }
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
            guard let next = try await ask(here, atLeast: least) else { return }
            asked = .now
            list = next
            try screen.show(list)
        }
    }

    /// The list at `least` or later; nil if the task was cancelled. The request is repeated until the service
    /// answers.
    private func ask(_ here: Coordinate, atLeast least: Position?) async throws(ClientError) -> WatchList? {
        var hasTold = false
        while !Task.isCancelled {
            do throws(ClientError) {
                let page = try await session.client.near(
                    here, limit: query.limit, radius: query.radius, filter: query.filter, atLeast: least)
                if hasTold { tell("answered", "The service answers again.") }
                return WatchList(here: here, hits: page.hits, position: page.standing.position)
            } catch {
                guard error.mayPass else { throw error }
                if !hasTold, !Task.isCancelled { tell("waiting", "\(Failure(error)?.message ?? "") Trying again.") }
                hasTold = true
                try? await Task.sleep(for: Self.pause)
            }
        }
        return nil
    }

    private func tell(_ code: String, _ message: String) {
        if !isQuiet { screen.notice(code, message) }
    }
}

extension ClientError {
    /// Whether the same request may succeed later.
    fileprivate var mayPass: Bool {
        switch self {
        case .cannotConnect, .timedOut: true
        case .refused(let refusal): refusal.code.isRetryable
        case .mayBeDone, .unreadableAnswer, .keyRefused, .otherServer, .tooMany, .cancelled, .closed: false
        }
    }

    /// Whether a watcher can continue: also if only past changes are gone.
    fileprivate var mayPassForAWatcher: Bool { mayPass || ExitStatus(self) == .historyGone }
}
