// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Landmarks
import TestTurns
import Testing

@Suite("The validator", .computing)
struct ValidatorTests {
    /// Breaks the story, and expects that this promise, and no other, is found broken.
    private func expect(
        _ promise: Promise, _ location: SourceLocation = #_sourceLocation, _ spoil: (inout Story) throws -> Void
    ) throws {
        var story = try Story()
        try spoil(&story)
        let violations = story.violations()
        #expect(Set(violations.map(\.promise)) == [promise], "\(violations)", sourceLocation: location)
    }

    private func index(_ feed: [FeedRecord], _ rev: UInt64) -> Int {
        feed.firstIndex { if case .change(rev, _, _) = $0 { true } else { false } }!
    }

    @Test("finds nothing where nothing is wrong")
    func clean() throws {
        let story = try Story()
        #expect(story.violations().isEmpty)
    }

    @Test("filtered feeds are told entered and left")
    func filtered() throws {
        let story = try Story()
        let told = story.history.feeds["near"]!.compactMap {
            if case .change(_, let told, _) = $0 { told } else { nil }
        }
        #expect(told == [.added, .entered, .noted, .left, .removed])
    }

    @Test("ordered: a lower revision after a higher one")
    func ordered() throws {
        try expect(.ordered) { story in
            let place = index(story.history.feeds["all"]!, 4)
            story.history.feeds["all"]!.insert(story.history.feeds["all"]![place], at: place + 2)
        }
    }

    @Test("unique: a change twice")
    func unique() throws {
        try expect(.unique) { story in
            let place = index(story.history.feeds["near"]!, 4)
            story.history.feeds["near"]!.insert(story.history.feeds["near"]![place], at: place)
        }
    }

    @Test("reliable: a change left out, filtered or not, at the end too", arguments: ["all", "near"], [2, 4])
    func reliable(feed: String, rev: UInt64) throws {
        try expect(.reliable) { $0.history.feeds[feed]!.remove(at: index($0.history.feeds[feed]!, rev)) }
        try expect(.reliable) { $0.history.feeds[feed]!.removeLast(2) }
    }

    @Test("reliable: told as something else than it is to the filter")
    func toldWrongly() throws {
        try expect(.reliable) { story in
            let entry = LogEntry(story.changes[4])
            let place = index(story.history.feeds["near"]!, 5)
            story.history.feeds["near"]![place] = .change(rev: 5, .changed, digest: entry.digest)
        }
    }

    @Test("reliable: something that does not match the filter")
    func stranger() throws {
        try expect(.reliable) { story in
            let entry = LogEntry(story.changes[0])
            story.history.feeds["near"]!.insert(.change(rev: 1, .added, digest: entry.digest), at: 2)
        }
    }

    @Test("atomic: a command done in part")
    func atomic() throws {
        try expect(.atomic) { story in
            story.history.writes["w"]![0] = .sent(sequence: 1, .added, marker: "m1", note: "another")
        }
    }

    @Test("resumable: a resume that repeats, one that skips")
    func resumable() throws {
        for position in [3, 5] as [UInt64] {
            try expect(.resumable) { story in
                let place = index(story.history.feeds["all"]!, 5)
                story.history.feeds["all"]!.removeSubrange(place...)
                var rest = story.stream(FilterSpec(), after: position)
                rest[0] = .begin(FilterSpec(), .after(Position(epoch: Story.epoch, rev: 4)))
                story.history.feeds["all"]! += rest
            }
        }
    }

    @Test("a resume at the right place is none")
    func resumed() throws {
        var story = try Story()
        let place = index(story.history.feeds["all"]!, 5)
        story.history.feeds["all"]!.removeSubrange(place...)
        story.history.feeds["all"]! += story.stream(FilterSpec(), after: 4)
        #expect(story.violations().isEmpty)
    }

    @Test("bookmarkable: reached before the changes came, and beyond the head")
    func bookmarkable() throws {
        try expect(.bookmarkable) { $0.history.feeds["all"]!.insert(.reached(rev: 2), at: 3) }
        try expect(.bookmarkable) { $0.history.feeds["near"]!.append(.reached(rev: 7)) }
    }

    @Test("honest: an end for no reason, and another history without a word")
    func honest() throws {
        try expect(.honest) { $0.history.feeds["all"]!.append(.ended(code: "compacted", floor: 3, head: 6)) }
        try expect(.honest) { $0.history.feeds["all"]!.append(.ended(code: "epoch_changed", floor: 0, head: 0)) }
        try expect(.honest) { $0.history.feeds["all"]!.append(.epoch(Story.other, run: nil)) }
    }

    @Test("durable: acknowledged and gone, done twice, other bytes, nobody's")
    func durable() throws {
        try expect(.durable) { story in
            story.history.writes["w"]! += [
                .sent(sequence: 7, .added, marker: "m7", note: nil),
                .answered(sequence: 7, rev: 7, id: UUIDv7(high: 1, low: 7)),
            ]
        }
        try expect(.durable) { $0.history.writes["w"]!.removeLast(2) }
        try expect(.durable) { story in
            let place = index(story.history.feeds["all"]!, 4)
            story.history.feeds["all"]![place] = .change(rev: 4, .noted, digest: 1)
        }
        try expect(.durable) { $0.history.writes["w"]![1] = .refused(sequence: 1, code: "invalid") }
    }

    @Test("snapshot-consistent: a landmark too few, and one too new")
    func snapshots() throws {
        func rows(_ story: Story, _ revs: [Int]) -> [FeedRecord] {
            revs.map { .row(story.changes[$0 - 1].landmark.id, digest: Digest.of(story.changes[$0 - 1].landmark)) }
        }
        func snapshot(_ story: Story, _ revs: [Int]) -> [FeedRecord] {
            [.begin(FilterSpec(), .snapshot), .epoch(Story.epoch, run: nil)] + rows(story, revs) + [.synced(rev: 4)]
                + story.stream(FilterSpec(), after: 4).dropFirst(2)
        }
        var story = try Story()
        story.history.feeds["state"] = snapshot(story, [3, 4])
        #expect(story.violations().isEmpty)
        for revs in [[3], [3, 5], [1, 4]] {
            try expect(.snapshotConsistent) { $0.history.feeds["state"] = snapshot($0, revs) }
        }
    }

    @Test("records are read as they were written")
    func records() throws {
        let story = try Story()
        let records =
            story.history.feeds["near"]! + [
                .begin(FilterSpec(.box(south: -1, west: -2, north: 3.5, east: 4), kinds: ["a", "b"]), .snapshot),
                .row(UUIDv7(high: 1, low: 2), digest: .max), .lost, .gap(rev: 3), .resumed(rev: 4, replayed: 5),
                .ended(code: "compacted", floor: 2, head: 9),
            ]
        #expect(records.compactMap { FeedRecord.parsed($0.line(3)) } == records)
    }
}
