// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import WaymarkJSON
import WaymarkProtocol

/// A message that `tail` prints, other than a change.
struct TailEvent {
    /// The cases in which the person is told about an event on stderr.
    enum Telling {
        case always, unlessQuiet, never
        /// Tells unless `--quiet` is given, and not more often than a person can read.
        case nowAndThen
    }

    let code: String
    let message: String
    let telling: Telling
    /// Whether `--control` prints the event among the changes.
    let isControl: Bool
    /// Writes the JSON members of the event.
    let details: (inout JSONWriter) -> Void

    private init(
        _ code: String, _ message: String, _ telling: Telling = .unlessQuiet, isControl: Bool = true,
        details: @escaping (inout JSONWriter) -> Void
    ) {
        (self.code, self.message, self.telling, self.isControl) = (code, message, telling, isControl)
        self.details = details
    }

    static func following(_ position: Position) -> TailEvent {
        let message = "Following the changes after revision \(position.rev); Ctrl-C ends."
        return TailEvent("following", message, isControl: false) { $0.fields(position) }
    }

    static func synced(_ position: Position) -> TailEvent {
        TailEvent("synced", "synced at \(position.rev)") { $0.fields(position) }
    }

    static func lost(_ position: Position?, _ loss: FeedLoss) -> TailEvent {
        TailEvent("lost", loss.sentence, .nowAndThen) {
            if let position { $0.fields(position) }
            $0.field("endpoint", loss.endpoint)
            $0.field("cause", loss.cause.rawValue)
        }
    }

    /// Live changes are missing. The gap ends with the event `resumed`.
    static func gap(_ position: Position) -> TailEvent {
        let message = "Live changes after revision \(position.rev) are missing: reading the log."
        return TailEvent("gap", message, .never) { $0.fields(position) }
    }

    static func resumed(_ position: Position, replayed: UInt64) -> TailEvent {
        let message = "live again: resumed at \(position.rev), replayed \(replayed), 0 lost"
        return TailEvent("resumed", message, .nowAndThen) {
            $0.fields(position)
            $0.field("replayed", replayed)
        }
    }

    /// The log no longer has the changes after this position. The person is always told that changes they asked for
    /// will not be printed.
    ///
    /// - Parameters:
    ///   - next: the position from which `tail` continues; nil if it continues with a snapshot of the landmarks.
    ///   - skipped: the number of revisions left out; nil if the number cannot be known.
    static func compacted(
        _ position: Position?, _ error: ServiceError, next: Position? = nil, skipped: UInt64? = nil
    ) -> TailEvent {
        let count = skipped.map { Figures.count($0, "revision", "revisions") } ?? "an unknown number of revisions"
        let rest =
            next.map { "Skipped \(count): continuing after revision \($0.rev)." }
            ?? "The present landmarks follow."
        return TailEvent("compacted", "\(error.message) \(rest)", .always) {
            $0.field("rev", position?.rev)
            $0.field("reason", error.code.name)
            $0.field("floor", error.head > 0 ? error.floor : nil as UInt64?)
            $0.field("head", error.head > 0 ? error.head : nil as UInt64?)
            guard let next else { return }
            $0.field("after", next.rev)
            $0.field("skipped", skipped)
        }
    }

    /// The log begins only at this revision, later than the person asked for.
    static func older(floor: UInt64) -> TailEvent {
        let message = "Changes before revision \(floor) are no longer kept."
        return TailEvent("older", message, .always, isControl: false) { $0.field("floor", floor) }
    }

    /// Only `found` of the newest `examined` changes match, which is fewer than the person asked for.
    static func fewer(found: Int, examined: UInt64) -> TailEvent {
        let message =
            "\(found == 0 ? "None" : "Only \(found)") of the newest \(Figures.count(examined)) changes "
            + "\(found < 2 ? "matches" : "match"): older ones are not searched."
        return TailEvent("fewer", message, .always, isControl: false) {
            $0.field("found", UInt64(found))
            $0.field("examined", examined)
        }
    }
}
