// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import WaymarkProtocol

@testable import QueryService

@Suite("The states of a replica", .computing)
struct ReplicaStateTests {
    private static let version = ServiceError(.protocolVersion, "Bring both to one release.")
    private static let trimmed = ServiceError(.futureRevision, "Another history.")

    /// The state after these events.
    private func state(_ events: [ReplicaState.Event]) -> ReplicaState {
        var state = ReplicaState()
        for event in events { _ = state.handle(event) }
        return state
    }

    private static let loading: [ReplicaState.Event] = [.started]
    private static let catchingUp = loading + [.loaded]
    private static let following = catchingUp + [.reached(isCaughtUp: true)]
    private static let paused = following + [.feedEnded(version)]

    @Test("the way from the start to the first answer")
    func start() {
        var state = ReplicaState()
        #expect(state.phase == .stopped && !state.isServing)
        #expect(state.handle(.started) == .load)
        #expect(state.phase == .loading && !state.isServing)
        #expect(state.handle(.loaded) == .follow)
        #expect(state.phase == .catchingUp && !state.isServing)
        #expect(state.handle(.reached(isCaughtUp: false)) == nil)
        #expect(state.phase == .catchingUp && !state.isServing)
        #expect(state.handle(.reached(isCaughtUp: true)) == .serve)
        #expect(state.phase == .following && state.isServing && state.halted == nil)
        // The replica begins to answer once.
        #expect(state.handle(.reached(isCaughtUp: true)) == nil)
        #expect(state.phase == .following)
    }

    @Test("a feed that ends, or a change that fails, makes the service load again while the old replica answers")
    func again() {
        for event in [ReplicaState.Event.feedEnded(Self.trimmed), .changeFailed] {
            for (before, isServing) in [(Self.catchingUp, false), (Self.following, true)] {
                var state = state(before)
                #expect(state.handle(event) == .load)
                #expect(state.phase == .loading && state.isServing == isServing && state.halted == nil)
                // Once is enough.
                #expect(state.handle(event) == nil)
                #expect(state.handle(.loaded) == .follow)
                #expect(state.isServing == isServing)
                #expect(state.handle(.reached(isCaughtUp: true)) == .serve)
            }
        }
    }

    @Test("another protocol version: nothing is answered until a replica has caught up again")
    func halted() {
        for before in [Self.catchingUp, Self.following] {
            var state = state(before)
            #expect(state.handle(.feedEnded(Self.version)) == .pause)
            #expect(state.phase == .paused && state.halted == Self.version)
            #expect(state.handle(.pauseOver) == .load)
            #expect(state.phase == .loading && state.halted == Self.version)
            #expect(state.handle(.loaded) == .follow)
            #expect(state.halted == Self.version)
            #expect(state.handle(.reached(isCaughtUp: true)) == .serve)
            #expect(state.halted == nil && state.isServing)
        }
    }

    @Test("a lost feed is remembered until it is resumed, or until another one is followed")
    func lost() {
        for before in [Self.catchingUp, Self.following] {
            var state = state(before)
            #expect(state.handle(.feedLost) == nil)
            #expect(state.isFeedLost)
            #expect(state.handle(.feedResumed) == nil)
            #expect(!state.isFeedLost)
            _ = state.handle(.feedLost)
            // While the next replica is loaded, nothing is heard either.
            #expect(state.handle(.changeFailed) == .load)
            #expect(state.isFeedLost)
            #expect(state.handle(.loaded) == .follow)
            #expect(!state.isFeedLost)
        }
    }

    @Test("events that come too late or too early change nothing")
    func strays() {
        let feed: [ReplicaState.Event] = [
            .reached(isCaughtUp: true), .feedLost, .feedResumed, .feedEnded(Self.version), .feedEnded(Self.trimmed),
            .changeFailed,
        ]
        let strays: [(before: [ReplicaState.Event], events: [ReplicaState.Event])] = [
            ([], feed + [.loaded, .pauseOver]),
            (Self.loading, feed + [.started, .pauseOver]),
            (Self.catchingUp, [.started, .loaded, .pauseOver]),
            (Self.following, [.started, .loaded, .pauseOver]),
            (Self.paused, feed + [.started, .loaded]),
        ]
        for (before, events) in strays {
            let unchanged = state(before)
            for event in events {
                var state = unchanged
                #expect(state.handle(event) == nil && state == unchanged, "\(unchanged.phase) \(event)")
            }
        }
    }
}
