// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks
import WaymarkClient

struct TailCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Print changes as they happen, one per line.",
        discussion: """
            Every change once and in order. It goes on by itself after a service was restarted or the connection was \
            lost, without losing or repeating one. What it has to say beside the changes goes to stderr.

              waymark tail
              waymark tail --since 120 -o json | jq -r .landmark.name
              waymark tail --no-follow --limit 10

            As JSON each line has the keys type, epoch, rev, at, op, landmark and before. To go on where an earlier \
            tail ended, give --since its last rev and --epoch its epoch: exit code 6 says that this is not possible any \
            more. Ctrl-C ends it.
            """)

    @Option(
        help: ArgumentHelp(
            "Begin after this revision. (default: with what comes next; with --no-follow: 0, the beginning)",
            valueName: "rev"))
    var since: UInt64?

    @Option(
        help: ArgumentHelp(
            "The history that --since counts in: an epoch's id. (default: the one that the service has now)",
            valueName: "id"),
        transform: Values.id)
    var epoch: UUIDv7?

    @Flag(help: "End when everything up to now is printed.")
    var noFollow = false

    @Option(
        help: ArgumentHelp("End after so many changes. (default: no limit)", valueName: "count"),
        transform: Values.count)
    var limit: Int?

    @Flag(name: [.short, .long], help: "Say nothing on stderr of connections lost and found.")
    var quiet = false

    @OptionGroup var printing: OutputOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        if epoch != nil, since == nil {
            throw ValidationError("--epoch says in which history --since counts: give both.")
        }
    }

    func run(in session: Session) async throws {
        let printer = ChangePrinter(session.output, limit: limit)
        if Surroundings.current.ownsProcess {
            Signals.endWhenStdoutCloses()
            Signals.beforeTheEnd { [output = session.output] in
                // The terminal shows ^C at the beginning of the line.
                if output.format == .text, Surroundings.current.errWidth != nil { output.errorLine("") }
                output.notice("ended", printer.summary) { $0.field("rev", printer.lastRev) }
            }
        }
        let welcome = try await greet(session)
        if noFollow {
            try await printPast(
                session, printer, from: Position(epoch: epoch ?? welcome.position.epoch, rev: since ?? 0))
        } else {
            try await follow(session, printer, welcome)
        }
    }

    /// Services that are just being started are waited for, as long as `--timeout` says.
    private func greet(_ session: Session) async throws -> Welcome {
        let deadline = ContinuousClock.now + session.timeout
        while true {
            do throws(ClientError) {
                return try await session.client.hello()
            } catch {
                switch error {
                case .cannotConnect, .timedOut: guard ContinuousClock.now < deadline else { throw error }
                default: throw error
                }
            }
        }
    }

    private func printPast(_ session: Session, _ printer: ChangePrinter, from start: Position) async throws {
        var position = start
        var end: UInt64?
        while !printer.isFull {
            let page = try await session.client.changes(after: position)
            let last = end ?? page.head
            end = last
            for change in page.changes where change.position.rev <= last && !printer.isFull {
                try printer.print(change.change, epoch: position.epoch)
            }
            guard page.through.rev < last, page.through.rev > position.rev else { return }
            position = page.through
        }
    }

    private func follow(_ session: Session, _ printer: ChangePrinter, _ welcome: Welcome) async throws {
        var position = welcome.position
        if let since { position = Position(epoch: epoch ?? position.epoch, rev: since) }
        var feed = session.client.feed(since: .after(position)).makeAsyncIterator()
        tell(session, "following", "Following the changes after revision \(position.rev); Ctrl-C ends.", position.rev)
        while !printer.isFull, let item = try await feed.next(isolation: nil) {
            switch item {
            case .change(let change):
                try printer.print(change.change, epoch: position.epoch)
                position = change.position
            case .reached(let reached): position = reached
            case .lost: tell(session, "lost", "Nothing is heard of the changes any more: trying on.", position.rev)
            case .resumed(let position, let replayed):
                tell(
                    session, "resumed", "resumed at \(position.rev), replayed \(replayed), 0 lost", position.rev)
            case .landmark, .synced, .gap: break
            }
        }
    }

    private func tell(_ session: Session, _ code: String, _ message: String, _ rev: UInt64) {
        if !quiet { session.output.notice(code, message) { $0.field("rev", rev) } }
    }
}
