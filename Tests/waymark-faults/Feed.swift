// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Landmarks
import TestSupport
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

/// One feed of a subscriber, recorded as it arrives. Only this file uses the client's feed API.
final class Feed: Sendable {
    private struct Inside: Sendable {
        var position: Position?
        /// The epoch and run that were recorded last.
        var written: Position?
        var random: SplitMix64
    }

    private let number: Int
    private let filter: FilterSpec
    private let recorder: Recorder
    private let patience: UInt64
    private let beginsWithSnapshot: Bool
    private let inside: Locked<Inside>

    init(
        number: Int, filter: FilterSpec, position: Position?, recorder: Recorder, patience: UInt64,
        beginsWithSnapshot: Bool
    ) {
        (self.number, self.filter, self.recorder, self.patience) = (number, filter, recorder, patience)
        self.beginsWithSnapshot = beginsWithSnapshot
        inside = Locked(Inside(position: position, random: SplitMix64(seed: .random(in: 0 ... .max))))
    }

    /// The revision through which every change has arrived.
    var rev: UInt64 { inside.withLock { $0.position?.rev ?? 0 } }

    private var position: Position? { inside.withLock { $0.position } }

    func follow(_ client: WaymarkClient) async {
        while !Task.isCancelled {
            do {
                try await once(client)
            } catch ClientError.refused(let refusal)
                where [.compacted, .epochChanged, .futureRevision].contains(refusal.code)
            {
                write(.ended(code: refusal.code.name, floor: refusal.floor, head: refusal.head))
                inside.withLock { $0.position = nil }
            } catch {
                // The service is unreachable; the feed is resumed from its last position.
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    private func once(_ client: WaymarkClient) async throws {
        let start = try await begin(client)
        inside.withLock { $0.written = nil }
        for try await item in client.feed(since: start, matching: try filter.filter) {
            switch item {
            case .landmark(let landmark, let position):
                move(to: position, isReached: false)
                write(.row(landmark.id, digest: Digest.of(landmark)))
            case .synced(let position):
                move(to: position)
                write(.synced(rev: position.rev))
            case .change(let told):
                move(to: told.position)
                write(.change(rev: told.change.rev, told.operation, digest: Digest.of(told.change)))
            case .reached(let position):
                move(to: position)
                write(.reached(rev: position.rev))
            case .lost: write(.lost)
            case .gap(let position): write(.gap(rev: position.rev))
            case .resumed(let position, let replayed): write(.resumed(rev: position.rev, replayed: replayed))
            }
            if inside.withLock({ $0.position != nil && $0.random.next() % patience == 0 }) { return }
        }
    }

    /// Where to begin: after the last position; at the first start with a snapshot, or with a beginning drawn by chance.
    private func begin(_ client: WaymarkClient) async throws -> FeedStart {
        if let position {
            write(.begin(filter, .after(position)))
            return .after(position)
        }
        let lot = inside.withLock { $0.random.next() % 3 }
        if beginsWithSnapshot || lot == 0 {
            write(.begin(filter, .snapshot))
            return .snapshot
        }
        guard lot == 1 else {
            write(.begin(filter, .now))
            return .now
        }
        var position = try await client.hello().position
        position.rev = 0
        position.run = nil
        inside.withLock { [position] in $0.position = position }
        write(.begin(filter, .after(position)))
        return .after(position)
    }

    private func move(to position: Position, isReached: Bool = true) {
        inside.withLock { inside in
            if inside.written?.epoch != position.epoch || inside.written?.run != position.run {
                recorder.record(FeedRecord.epoch(position.epoch, run: position.run).line(number))
                inside.written = position
            }
            if isReached { inside.position = position }
        }
    }

    private func write(_ record: FeedRecord) { recorder.record(record.line(number)) }
}
