// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkProtocol

struct CompactCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Forget old changes; the landmarks stay.",
        discussion: """
            Storage does it by itself, by count and age: see retain in config/storage.yaml. Who stopped reading changes \
            before what is kept has to begin again with all landmarks.

              waymark compact --below 100000
              waymark compact --yes -o json | jq .floor
            """)

    @Option(
        help: ArgumentHelp(
            "Forget the changes of lower revisions than this one. (default: all but the newest)",
            valueName: "revision"))
    var below: UInt64?

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var printing: OutputOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        if below == 0 { throw ValidationError("--below goes from 1 on: revisions are counted from 1.") }
    }

    func run(in session: Session) async throws {
        // Whether anybody is there is known sooner than a long log is compacted.
        let welcome = try await session.client.hello()
        if below == nil {
            let head = welcome.position.rev
            try confirmation.confirm(
                head > 0
                    ? "This forgets all changes before revision \(head), for good. Is it meant?"
                    : "This forgets all changes but the newest, for good. Is it meant?")
        }
        let longest = Duration.milliseconds(WaymarkProtocol.timeoutMilliseconds)
        let kept = try await session.client.compact(below: below ?? 0, timeout: connection.timeout ?? longest)
        switch session.output.format {
        case .json:
            try session.output.object {
                $0.field("floor", kept.floor)
                $0.field("head", kept.head)
            }
        case .text:
            try session.output.line(
                kept.head < kept.floor
                    ? "there are no changes yet" : "kept are the revisions \(kept.floor) to \(kept.head)")
        }
    }
}
