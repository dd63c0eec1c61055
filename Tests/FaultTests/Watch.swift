// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

/// A feed that is followed in the test's own process.
final class Watch: Sendable {
    struct Seen: Sendable {
        var changes: [UInt64] = []
        var rows = 0
        var position: Position?
        var lost = 0
        var resumed = 0
        var refusal: ErrorCode?
        var floor: UInt64 = 0
        var head: UInt64 = 0
        var isOver = false
    }

    private let state: Locked<Seen>
    private let task: Task<Void, Never>

    init(_ client: WaymarkClient, _ start: FeedStart, matching filter: FeedFilter = .everything) {
        let state = Locked(Seen())
        self.state = state
        task = Task {
            do {
                for try await item in client.feed(since: start, matching: filter) {
                    state.withLock { $0.handle(item) }
                }
            } catch ClientError.refused(let refusal) {
                state.withLock { seen in
                    (seen.refusal, seen.floor, seen.head) = (refusal.code, refusal.floor, refusal.head)
                }
            } catch {}
            state.withLock { $0.isOver = true }
        }
    }

    var seen: Seen { state.withLock { $0 } }

    func wait(_ time: Duration, _ what: String, _ isThere: (Seen) -> Bool) async throws {
        try await until("\(what); seen: \(seen.position.map { "\($0)" } ?? "nothing")", within: time) { isThere(seen) }
    }

    func end() async {
        task.cancel()
        await task.value
    }

    static func draft(_ name: String) throws -> LandmarkDraft {
        try LandmarkDraft(name: name, coordinate: Coordinate(latitude: 1, longitude: 2))
    }
}

extension Watch.Seen {
    fileprivate mutating func handle(_ item: FeedItem) {
        switch item {
        case .landmark: rows += 1
        case .synced(let position), .reached(let position): self.position = position
        case .change(let told):
            changes.append(told.change.rev)
            position = told.position
        case .lost: lost += 1
        case .gap: break
        case .resumed: resumed += 1
        }
    }
}
