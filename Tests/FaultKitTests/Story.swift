// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Geodesy
import Landmarks

/// A small history made by hand in which nothing is wrong, to be broken.
struct Story {
    static let epoch = UUIDv7(high: 7, low: 7)
    static let other = UUIDv7(high: 8, low: 8)
    /// Around the origin; landmarks are at latitude 0 or 50.
    static let near = FilterSpec(.circle(latitude: 0, longitude: 0, radius: 1_000))

    var changes: [Change] = []
    var history = History()
    private var landmarks: [Landmark.ID: Landmark] = [:]

    var truth: Truth {
        Truth(epoch: Self.epoch, log: changes.map { LogEntry($0) }, landmarks: landmarks.mapValues { Digest.of($0) })
    }

    /// Six revisions: 1 a far landmark with a note, 2 a near one, 3 the far one comes near, 4 a note on the near one,
    /// 5 it leaves, 6 the other is removed.
    init() throws {
        let (one, two) = (UUIDv7(high: 1, low: 1), UUIDv7(high: 1, low: 2))
        let far = try Coordinate(latitude: 50, longitude: 0)
        let home = try Coordinate(latitude: 0, longitude: 0)
        try add(one, far, note: "n1")
        try add(two, home, note: nil)
        try change(one, .changed) { $0.coordinate = home }
        try change(two, .noted) { $0.notes = [Note(id: UUIDv7(high: 2, low: 1), text: "m4", user: "w", at: 4)] }
        try change(two, .changed) { $0.coordinate = far }
        try change(one, .removed) { _ in }
        history.feeds["all"] = stream(FilterSpec(), after: 0)
        history.feeds["near"] = stream(Self.near, after: 0)
    }

    /// What a feed with this filter receives.
    func stream(_ filter: FilterSpec, after rev: UInt64) -> [FeedRecord] {
        var records: [FeedRecord] = [
            .begin(filter, .after(Position(epoch: Self.epoch, rev: rev))), .epoch(Self.epoch, run: nil),
        ]
        for change in changes where change.rev > rev {
            let entry = LogEntry(change)
            if let operation = filter.operation(of: entry) {
                records.append(.change(rev: entry.rev, operation, digest: entry.digest))
            }
            if change.rev == 3 { records.append(.reached(rev: 3)) }
        }
        return records + [.reached(rev: 6)]
    }

    func violations() -> [Violation] { Validator.check(history, truth: truth).violations }

    private mutating func add(_ id: Landmark.ID, _ place: Coordinate, note: String?) throws {
        let rev = UInt64(changes.count + 1)
        let notes = note.map { [Note(id: UUIDv7(high: 3, low: rev), text: $0, user: "w", at: rev)] } ?? []
        let landmark = Landmark(id: id, name: "m\(rev)", coordinate: place, user: "w", notes: notes, rev: rev)
        landmarks[id] = landmark
        changes.append(Change(rev: rev, at: rev, operation: .added, user: "w", landmark: landmark, before: nil))
        record(.added, "m\(rev)", note, id, rev)
    }

    private mutating func change(
        _ id: Landmark.ID, _ operation: Change.Operation, _ edit: (inout Landmark) -> Void
    ) throws {
        let rev = UInt64(changes.count + 1)
        let before = landmarks[id]!
        var after = before
        edit(&after)
        if operation == .changed { after.link = "m\(rev)" }
        if operation != .removed { after.rev = rev }
        landmarks[id] = operation == .removed ? nil : after
        changes.append(Change(rev: rev, at: rev, operation: operation, user: "w", landmark: after, before: before))
        record(operation, operation == .removed ? "\(id)" : "m\(rev)", nil, id, rev)
    }

    private mutating func record(
        _ operation: Change.Operation, _ marker: String, _ note: String?, _ id: Landmark.ID, _ rev: UInt64
    ) {
        history.writes["w", default: []] += [
            .sent(sequence: rev, operation, marker: marker, note: note), .answered(sequence: rev, rev: rev, id: id),
        ]
    }
}
