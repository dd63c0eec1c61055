// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import ZeroMQ

/// The fields of a change that matter to a list of the nearest landmarks.
struct WatchedChange: Sendable {
    var position: Position
    var id: Landmark.ID
    /// The coordinates of the landmark before and after the change.
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

/// The changes since the list was last judged, and a stream that announces new ones.
final class WatchState: Sendable {
    /// The changes that were not judged yet. If there are too many, only the position of the last one is kept, and the
    /// list is requested again.
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

    /// Returns a stream that yields after each change and each move of the centre. Several values that were not
    /// received become one. There is one listener: a new stream finishes the previous one, unless the previous listener
    /// was cancelled and has finished it already.
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
        alter { $0.here = here }
    }

    func add(_ change: WatchedChange) {
        alter { state in
            if case .few(var changes) = state.news, changes.count < Self.most {
                // `state.news` must not share the array meanwhile, so that appending does not copy it.
                state.news = .few([])
                changes.append(change)
                state.news = .few(changes)
            } else {
                state.news = .many(last: change.position)
            }
        }
    }

    private func alter(_ body: (inout State) -> Void) {
        let ring = state.withLock { state in
            body(&state)
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
