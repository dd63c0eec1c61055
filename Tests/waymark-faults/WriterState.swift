// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Geodesy
import Landmarks
import TestSupport
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

/// A writer's knowledge of its landmarks, from which it chooses the next request.
final class WriterState: Sendable {
    struct Request: Sendable {
        enum Action: Sendable {
            case add(LandmarkDraft, note: String?)
            case edit(Landmark.ID, LandmarkEdit)
            case note(Landmark.ID)
            case remove(Landmark.ID)
        }
        var sequence: UInt64
        var marker: String
        var action: Action
    }

    private struct Inside: Sendable {
        var random: SplitMix64
        var sequence: UInt64
        var live: [Landmark.ID] = []
        var underWay = 0
        var sent = 0
        var answered = 0
    }

    private let inside: Locked<Inside>
    private let name: String
    /// Notes accumulate on a landmark, and each of its later changes contains them all. So old landmarks are left
    /// alone.
    private static let watched = 3_000

    init(name: String, incarnation: UInt64, seed: UInt64) {
        self.name = name
        inside = Locked(Inside(random: SplitMix64(seed: seed &+ incarnation), sequence: incarnation * 1_000_000_000))
    }

    var sent: Int { inside.withLock { $0.sent } }
    var answered: Int { inside.withLock { $0.answered } }

    func enter(atMost limit: Int) -> Bool {
        inside.withLock { inside in
            guard inside.underWay < limit else { return false }
            inside.underWay += 1
            return true
        }
    }

    func leave() { inside.withLock { $0.underWay -= 1 } }

    func next() -> Request? {
        inside.withLock { inside in
            inside.sequence += 1
            inside.sent += 1
            let marker = "\(name)-\(inside.sequence)"
            let dice = inside.random.next() % 100
            guard let place = World.place(&inside.random) else { return nil }
            let kind = World.kinds[Int(inside.random.next() % UInt64(World.kinds.count))]
            let isNew = inside.live.count < 20 || dice < 35
            guard !isNew else {
                let note = dice % 3 == 0 ? "note-\(marker)" : nil
                guard let draft = try? LandmarkDraft(name: marker, coordinate: place, kind: kind) else { return nil }
                return Request(sequence: inside.sequence, marker: marker, action: .add(draft, note: note))
            }
            let index = inside.live.count - 1 - Int(inside.random.next() % UInt64(min(Self.watched, inside.live.count)))
            let id = inside.live[index]
            if dice < 75 {
                let edit =
                    dice < 65
                    ? try? LandmarkEdit(coordinate: place, attributes: .init(link: marker))
                    : try? LandmarkEdit(attributes: .init(kind: kind, link: marker))
                guard let edit else { return nil }
                return Request(sequence: inside.sequence, marker: marker, action: .edit(id, edit))
            }
            if dice < 88 { return Request(sequence: inside.sequence, marker: marker, action: .note(id)) }
            // The landmark is not used again; the last one takes its place.
            inside.live.swapAt(index, inside.live.count - 1)
            inside.live.removeLast()
            return Request(sequence: inside.sequence, marker: "\(id)", action: .remove(id))
        }
    }

    func send(_ request: Request, _ client: WaymarkClient, _ recorder: Recorder) async {
        defer { leave() }
        let written: Written
        do throws(ClientError) {
            switch request.action {
            case .add(let draft, let note):
                write(.sent(sequence: request.sequence, .added, marker: request.marker, note: note), recorder)
                written = try await client.add(draft, note: note)
                inside.withLock { $0.live.append(written.id) }
            case .edit(let id, let edit):
                write(.sent(sequence: request.sequence, .changed, marker: request.marker, note: nil), recorder)
                written = try await client.edit(id, edit)
            case .note(let id):
                write(.sent(sequence: request.sequence, .noted, marker: request.marker, note: nil), recorder)
                written = try await client.addNote(to: id, request.marker)
            case .remove(let id):
                write(.sent(sequence: request.sequence, .removed, marker: request.marker, note: nil), recorder)
                written = try await client.remove(id)
            }
        } catch {
            refused(request.sequence, error, recorder)
            // A service that is down refuses at once, so this pause limits the rate of attempts.
            try? await Task.sleep(for: .milliseconds(50))
            return
        }
        recorder.record(WriteRecord.answered(sequence: request.sequence, rev: written.rev, id: written.id).line)
        inside.withLock { $0.answered += 1 }
    }

    /// Recorded before the request is sent.
    private func write(_ record: WriteRecord, _ recorder: Recorder) { recorder.record(record.line, now: true) }

    private func refused(_ sequence: UInt64, _ error: ClientError, _ recorder: Recorder) {
        switch error {
        case .refused(let refusal) where refusal.code != .internal:
            recorder.record(WriteRecord.refused(sequence: sequence, code: "\(refusal.code)").line)
        case .cannotConnect: recorder.record(WriteRecord.refused(sequence: sequence, code: "cannot_connect").line)
        default: recorder.record(WriteRecord.unanswered(sequence: sequence).line)
        }
    }
}
