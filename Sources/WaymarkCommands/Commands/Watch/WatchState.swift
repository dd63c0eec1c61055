// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import ZeroMQ

/// A change as far as a list of the nearest looks at it.
struct WatchedChange: Sendable {
    var position: Position
    var id: Landmark.ID
    /// Where the landmark is and was.
    var places: [Coordinate]

    init(_ told: FeedChange) {
        position = told.position
        id = told.change.landmark.id
        places = [told.change.landmark.coordinate]
        if let before = told.change.before, before.coordinate != told.change.landmark.coordinate {
            places.append(before.coordinate)
        }
    }
}

/// What has happened since somebody looked last, and a bell for that somebody.
final class WatchState: Sendable {
    /// Changes since the last look. Of too many only the last position is kept: the list is asked for anew.
    enum News: Sendable {
        case few([WatchedChange])
        case many(last: Position)
    }

    private struct State {
        var here: Coordinate
        var news = News.few([])
        var ring: AsyncStream<Void>.Continuation?
    }

    private static let most = 1_000

    private let state: Locked<State>

    init(at here: Coordinate) {
        state = Locked(State(here: here))
    }

    /// Rings after each change and each move; rings that nobody has heard are one. For one listener: the bell before
    /// ends, as it does when its listener is cancelled.
    func bell() -> AsyncStream<Void> {
        let (bell, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let former = state.withLock { state in
            defer { state.ring = ring }
            return state.ring
        }
        former?.finish()
        return bell
    }

    var here: Coordinate { state.withLock { $0.here } }

    func move(to here: Coordinate) {
        let ring = state.withLock { state in
            state.here = here
            return state.ring
        }
        ring?.yield()
    }

    func add(_ change: WatchedChange) {
        let ring = state.withLock { state in
            if case .few(var changes) = state.news, changes.count < Self.most {
                // So that there is one owner of them while one is added.
                state.news = .few([])
                changes.append(change)
                state.news = .few(changes)
            } else {
                state.news = .many(last: change.position)
            }
            return state.ring
        }
        ring?.yield()
    }

    func take() -> (here: Coordinate, news: News) {
        state.withLock { state in
            defer { state.news = .few([]) }
            return (state.here, state.news)
        }
    }
}
