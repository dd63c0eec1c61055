// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import WaymarkJSON
import WaymarkProtocol

/// The messages of `tail` beside the changes.
enum TailEvent: Sendable {
    case following(Position)
    case synced(Position)
    case lost(Position?, FeedLoss)
    case gap(Position)
    case resumed(Position, replayed: UInt64)
    /// The log no longer has the changes after this position.
    case compacted(Position?, ServiceError, GoingOn)
    /// The log begins only at this revision.
    case older(floor: UInt64)
    /// So many of the newest changes were examined, and only `found` of them match.
    case fewer(found: Int, examined: UInt64)

    enum GoingOn: Hashable, Sendable {
        case withSnapshot
        /// `skipped` is the number of revisions in between; nil if it cannot be known.
        case after(Position, skipped: UInt64?)
    }

    /// Whether `--control` prints the event among the changes.
    var isControl: Bool {
        switch self {
        case .following, .older, .fewer: false
        case .synced, .lost, .gap, .resumed, .compacted: true
        }
    }
}

extension TailEvent {
    var code: String {
        switch self {
        case .following: "following"
        case .synced: "synced"
        case .lost: "lost"
        case .gap: "gap"
        case .resumed: "resumed"
        case .compacted: "compacted"
        case .older: "older"
        case .fewer: "fewer"
        }
    }

    var message: String {
        switch self {
        case .following(let position): "Following the changes after revision \(position.rev); Ctrl-C ends."
        case .synced(let position): "synced at \(position.rev)"
        case .lost(_, let loss): loss.sentence
        case .gap(let position): "Live changes after revision \(position.rev) are missing: reading the log."
        case .resumed(let position, let replayed):
            "live again: resumed at \(position.rev), replayed \(replayed), 0 lost"
        case .compacted(_, let error, .withSnapshot): "\(error.message) The landmarks as they are now follow."
        case .compacted(_, let error, .after(let position, let skipped)):
            error.message
                + (skipped.map { " Skipped \(Figures.count($0, "revision", "revisions")):" }
                    ?? " Skipped an unknown number of revisions:")
                + " continuing after revision \(position.rev)."
        case .older(let floor): "Changes before revision \(floor) are no longer kept."
        case .fewer(let found, let examined):
            "\(found == 0 ? "None" : "Only \(found)") of the newest \(Figures.count(examined)) changes \(found < 2 ? "matches" : "match"): "
                + "older ones are not searched."
        }
    }

    /// `type`, and the values of the event.
    func write(to writer: inout JSONWriter) {
        writer.field("type", code)
        details(to: &writer)
    }

    func details(to writer: inout JSONWriter) {
        switch self {
        case .following(let position), .synced(let position), .gap(let position): writer.fields(position)
        case .lost(let position, let loss):
            if let position { writer.fields(position) }
            writer.field("endpoint", loss.endpoint)
            writer.field("cause", loss.cause.rawValue)
        case .resumed(let position, let replayed):
            writer.fields(position)
            writer.field("replayed", replayed)
        case .compacted(let position, let error, let goingOn):
            writer.field("rev", position?.rev)
            writer.field("reason", error.code.name)
            writer.field("floor", error.head > 0 ? error.floor : nil as UInt64?)
            writer.field("head", error.head > 0 ? error.head : nil as UInt64?)
            guard case .after(let next, let skipped) = goingOn else { return }
            writer.field("after", next.rev)
            writer.field("skipped", skipped)
        case .older(let floor): writer.field("floor", floor)
        case .fewer(let found, let examined):
            writer.field("found", UInt64(found))
            writer.field("examined", examined)
        }
    }
}
