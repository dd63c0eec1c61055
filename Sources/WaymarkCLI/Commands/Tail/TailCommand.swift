// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient

struct TailCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        leaf: "tail",
        abstract: "Print changes as they happen, one per line.",
        discussion: """
            Prints every change once and in order. After a restart of a service or a lost connection it continues \
            automatically, without losing or repeating a change. Other messages go to stderr.

              waymark tail
              waymark tail --near -33.8568,151.2153 --radius 2km
              waymark tail --near Sydney --radius 20km --op added,entered,left
              waymark tail --fence harbour -f --last 10 --kind beach
              waymark tail --snapshot --kind beach -o json
              waymark tail --since 5m --no-follow
              waymark tail --cursor-file seen.json -o json | while read -r line; do …; done
              waymark tail -o template='{time} {op} {name} {lat},{lng}' --limit 10

            A landmark that moves out of the area, or changes so that the filter no longer matches, is printed as \
            left; in the other direction as entered. As JSON each line has the keys type, epoch, rev, at, op, \
            landmark, before, user and run. A template may use \(ChangeTemplate.fields).

            Exit code 6: the position is gone, because it was compacted or is of another history. Reaching --limit, \
            --until, --idle or --timeout is no error, unless fewer changes than --require were printed (exit code 4). \
            Ctrl-C ends the command.
            """)

    @OptionGroup(title: "Where to begin and to end") var range: TailRangeOptions
    @OptionGroup(title: "Which changes") var filters: FeedFilterOptions
    @OptionGroup(title: "Which changes") var changes: ChangeFilterOptions

    @Option(
        .count, name: [.customShort("n", allowingJoined: true), .long],
        "End after this many changes, including the landmarks of a snapshot. (default: no limit)")
    var limit: Int?

    @Option(.time, "End when no change has arrived for this time, with ms, s, m or h. (default: never)")
    var idle: Duration?

    @Option(.count, "End with exit code 4 if fewer changes were printed. (default: 0)")
    var require: Int?

    @OptionGroup var printing: TailOutputOptions
    @OptionGroup var connection: LiveOptions

    func validate() throws {
        if let limit, let require, require > limit {
            throw ValidationError("--limit is smaller than --require: make the limit larger.")
        }
    }

    func run(in session: Session) async throws {
        var filter = try await filters.filter(in: session)
        try await changes.narrow(&filter, in: session)
        let printer = ChangePrinter(session.output, as: printing.output, limit: limit)
        let reporter = TailReporter(session.output, printing)
        let cursor = range.cursorFile.map { CursorFile(path: $0) }
        if Surroundings.current.ownsProcess {
            Signals.endWhenStdoutCloses()
            Signals.beforeTheEnd { [output = session.output] in
                try? cursor?.flush()
                // The terminal shows ^C at the beginning of the line, so continue on a new line.
                if output.format == .text, Surroundings.current.errWidth != nil { output.errorLine("") }
                output.notice("ended", printer.summary) { $0.field("rev", printer.lastRev) }
            }
        }
        try await TailRun(
            session: session, asked: self, filter: filter, printer: printer, reporter: reporter, cursor: cursor
        ).run()
    }
}

/// The output options of `tail`.
struct TailOutputOptions: PrintingOptions {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "How to print: text for people, json for programs (one object per line), or template=… with {fields}, "
                + "\\n and \\t. (default: text)", valueName: "output"),
        transform: ChangeFormat.init)
    var output = ChangeFormat.text

    @Flag(
        help: """
            Print lost, gap, resumed, compacted and synced on stdout among the changes, instead of on stderr. (As \
            JSON, synced is always printed: it ends the snapshot.)
            """)
    var control = false

    @Flag(name: [.short, .long], help: "Do not report lost and restored connections on stderr.")
    var quiet = false

    @Option(name: .color, help: .color) var color = ColourChoice.auto

    var format: OutputFormat { output == .json ? .json : .text }
}
