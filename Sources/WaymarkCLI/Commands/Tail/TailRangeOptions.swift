// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks

/// The part of the history that `tail` prints.
struct TailRangeOptions: ParsableArguments {
    @Option(.moment, "Begin after this revision, this time ago (5m), or at a time in RFC 3339.")
    var since: Moment?

    @Flag(help: "Begin with the oldest change that is kept. (default with --no-follow)")
    var fromStart = false

    @Flag(help: "Begin with the next change. (default)")
    var new = false

    @Option(.count, "Begin with this many of the newest matching changes, the oldest of them first.")
    var last: Int?

    @Flag(help: "Begin with the present landmarks, then continue with the changes.")
    var snapshot = false

    @Option(.epoch, "The epoch that the revision of --since belongs to. (default: the service's present epoch)")
    var epoch: UUIDv7?

    @Option(
        .text("path", completion: .file()),
        """
        Continue at the position in this file, and update the file after each printed line. If the file does not \
        exist, the other options say where to begin.
        """)
    var cursorFile: String?

    @Option(.moment, "End at this revision, or at the last one before a time. (default: never)")
    var until: Moment?

    @Flag(name: .shortAndLong, help: "Continue with the changes as they come. (default)")
    var follow = false

    @Flag(help: "End when every change up to now is printed.")
    var noFollow = false

    @Option(
        help: """
            If the position is gone: fail (exit code 6), resnapshot (print the present landmarks, then \
            continue) or skip (continue with the oldest change in the log; in another history, with the next change).
            """)
    var onCompacted = GonePolicy.fail

    func validate() throws {
        try refuse(
            if: [since != nil, fromStart, new, last != nil, snapshot].count(where: { $0 }) > 1,
            "--since, --from-start, --new, --last and --snapshot set the beginning: give only one.")
        try refuse(if: follow && noFollow, "--follow goes on for ever and --no-follow ends: give only one.")
        if case .revision? = since { return }
        try refuse(if: epoch != nil, "--epoch only applies to a revision in --since: give both.")
    }

    enum Start: Hashable, Sendable {
        case since(Moment)
        /// The given number of newest changes that match.
        case newest(Int)
        case oldest, new, snapshot

        /// Whether `tail` starts without an error although the log no longer has the oldest requested changes.
        var takesWhatIsKept: Bool {
            if case .newest = self { true } else { self == .oldest }
        }
    }

    var start: Start {
        if let since { return .since(since) }
        if snapshot { return .snapshot }
        if let last { return .newest(last) }
        return fromStart || (noFollow && !new) ? .oldest : .new
    }
}

/// The reaction of `tail` if the requested changes are no longer in the log.
enum GonePolicy: String, CaseIterable, ExpressibleByArgument {
    case fail, resnapshot, skip
}
