// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks

/// Which part of the history `tail` prints.
struct TailRangeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Begin after this revision, so long ago (5m), or at a time of RFC 3339.", valueName: "rev|time"),
        transform: Values.moment)
    var since: Moment?

    @Flag(help: "Begin with the oldest change that is kept. (default with --no-follow)")
    var fromStart = false

    @Flag(help: "Begin with what comes next. (default)")
    var new = false

    @Flag(help: "Begin with the landmarks as they are now, then go on with what becomes of them.")
    var snapshot = false

    @Option(
        help: ArgumentHelp(
            "The history that --since counts in: an epoch's id. (default: the one that the service has now)",
            valueName: "id"),
        transform: Values.epoch)
    var epoch: UUIDv7?

    @Option(
        help: ArgumentHelp(
            """
            Go on where this file says, and keep it up to date, each line being out before the file says so. Without \
            the file: where the other options say.
            """, valueName: "path"), completion: .file())
    var cursorFile: String?

    @Option(
        help: ArgumentHelp(
            "End with this revision, or with the last one before a time. (default: never)", valueName: "rev|time"),
        transform: Values.moment)
    var until: Moment?

    @Flag(help: "End when everything up to now is printed.")
    var noFollow = false

    @Option(
        help: ArgumentHelp(
            """
            When the position is gone: fail (exit code 6), resnapshot (print the landmarks as they are now, and go \
            on) or skip (go on with the oldest change that is kept, or, in another history, with the next one).
            """))
    var onCompacted = GonePolicy.fail

    func validate() throws {
        guard [since != nil, fromStart, new, snapshot].count(where: { $0 }) < 2 else {
            throw ValidationError("--since, --from-start, --new and --snapshot say where to begin: give one of them.")
        }
        guard epoch != nil else { return }
        guard case .revision? = since else {
            throw ValidationError("--epoch says in which history the revision of --since counts: give both.")
        }
    }

    func start() -> TailPlan.Start {
        if let since { return .since(since) }
        if snapshot { return .snapshot }
        return fromStart || (noFollow && !new) ? .oldest : .new
    }
}

/// What to do when changes that were asked for are not kept any more.
enum GonePolicy: String, CaseIterable, ExpressibleByArgument {
    case fail, resnapshot, skip
}
