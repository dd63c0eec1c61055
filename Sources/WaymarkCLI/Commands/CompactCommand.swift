// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkProtocol

struct CompactCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        leaf: "compact",
        abstract: "Delete old changes from the log; the landmarks stay.",
        discussion: """
            Storage deletes old changes automatically by count and age: see retain in config/storage.yaml. A reader \
            whose position is among the deleted changes has to start again with all landmarks.

              waymark compact --below 100000
              waymark compact --yes -o json | jq .floor
            """)

    @Option(word: "revision", "Delete the changes below this revision. (default: all but the newest)")
    var below: UInt64?

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var asking: AskOptions

    func validate() throws {
        try refuse(if: below == 0, "--below must be 1 or more: the first revision is 1.")
    }

    func run(in session: Session) async throws {
        // Compacting a long log may take long, so a quick request first shows whether the service can be reached.
        let welcome = try await session.client.hello()
        if below == nil {
            let head = welcome.position.rev
            try confirmation.confirm(
                head > 0
                    ? "This deletes all changes before revision \(head) for ever. Continue?"
                    : "This deletes all changes but the newest for ever. Continue?")
        }
        let longest = Duration.milliseconds(WaymarkProtocol.timeoutMilliseconds)
        let kept = try await session.client.compact(below: below ?? 0, timeout: connection.timeout ?? longest)
        try session.output.result(
            kept.head < kept.floor
                ? "there are no changes yet" : "the log has revisions \(kept.floor) to \(kept.head)"
        ) {
            $0.field("floor", kept.floor)
            $0.field("head", kept.head)
        }
    }
}
