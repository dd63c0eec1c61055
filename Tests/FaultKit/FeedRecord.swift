// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// A line of a subscriber's history, with the number of the feed within the process.
public enum FeedRecord: Hashable, Sendable {
    /// The feed is opened at `start`; nil stands for a snapshot or for the next change.
    case begin(FilterSpec, Start)
    /// The following positions belong to this epoch and run.
    case epoch(UUIDv7, run: UUIDv7?)
    case change(rev: UInt64, FeedOperation, digest: UInt64)
    case reached(rev: UInt64)
    case row(Landmark.ID, digest: UInt64)
    case synced(rev: UInt64)
    case lost
    case gap(rev: UInt64)
    case resumed(rev: UInt64, replayed: UInt64)
    /// The feed cannot continue, with the reason.
    case ended(code: String, floor: UInt64, head: UInt64)

    public enum Start: Hashable, Sendable {
        case now, snapshot
        case after(Position)
    }
}

extension FeedRecord {
    public func line(_ feed: Int) -> String {
        switch self {
        case .begin(let filter, .now): "B \(feed) \(filter) now"
        case .begin(let filter, .snapshot): "B \(feed) \(filter) snapshot"
        case .begin(let filter, .after(let position)):
            "B \(feed) \(filter) after \(position.epoch) \(position.rev) \(position.run.map { "\($0)" } ?? "-")"
        case .epoch(let epoch, let run): "E \(feed) \(epoch) \(run.map { "\($0)" } ?? "-")"
        case .change(let rev, let operation, let digest): "C \(feed) \(rev) \(operation.letter) \(digest)"
        case .reached(let rev): "P \(feed) \(rev)"
        case .row(let id, let digest): "L \(feed) \(id) \(digest)"
        case .synced(let rev): "Y \(feed) \(rev)"
        case .lost: "O \(feed)"
        case .gap(let rev): "G \(feed) \(rev)"
        case .resumed(let rev, let replayed): "U \(feed) \(rev) \(replayed)"
        case .ended(let code, let floor, let head): "X \(feed) \(code) \(floor) \(head)"
        }
    }

    static func read(_ line: Line) -> (feed: Int, record: FeedRecord)? {
        guard let feed = line.number(1).map({ Int($0) }) else { return nil }
        let record: FeedRecord?
        switch line.kind {
        case UInt8(ascii: "C"):
            guard let rev = line.number(2), let operation = FeedOperation(letter: line.text(3)),
                let digest = line.number(4)
            else { return nil }
            record = .change(rev: rev, operation, digest: digest)
        case UInt8(ascii: "P"): record = line.number(2).map { .reached(rev: $0) }
        case UInt8(ascii: "Y"): record = line.number(2).map { .synced(rev: $0) }
        case UInt8(ascii: "G"): record = line.number(2).map { .gap(rev: $0) }
        case UInt8(ascii: "O"): record = .lost
        case UInt8(ascii: "U"):
            record = line.number(2).flatMap { rev in line.number(3).map { .resumed(rev: rev, replayed: $0) } }
        case UInt8(ascii: "L"):
            record = UUIDv7(line.text(2)).flatMap { id in line.number(3).map { .row(id, digest: $0) } }
        case UInt8(ascii: "E"): record = UUIDv7(line.text(2)).map { .epoch($0, run: UUIDv7(line.text(3))) }
        case UInt8(ascii: "X"):
            record = .ended(code: line.text(2), floor: line.number(3) ?? 0, head: line.number(4) ?? 0)
        case UInt8(ascii: "B"): record = begin(line)
        default: record = nil
        }
        return record.map { (feed, $0) }
    }

    private static func begin(_ line: Line) -> FeedRecord? {
        guard let filter = FilterSpec(line.text(2)) else { return nil }
        switch line.text(3) {
        case "now": return .begin(filter, .now)
        case "snapshot": return .begin(filter, .snapshot)
        default:
            guard let epoch = UUIDv7(line.text(4)), let rev = line.number(5) else { return nil }
            return .begin(filter, .after(Position(epoch: epoch, rev: rev, run: UUIDv7(line.text(6)))))
        }
    }
}

extension FeedOperation {
    var letter: String { String(rawValue.prefix(1)) }

    init?(letter: String) {
        guard let found = Self.allCases.first(where: { $0.letter == letter }) else { return nil }
        self = found
    }
}

extension FeedRecord {
    /// Parses a single line.
    public static func parsed(_ line: String) -> FeedRecord? { read(Line(ArraySlice(Array(line.utf8))))?.record }
}
