// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkJSON

struct AuditCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        leaf: "audit",
        abstract: "Print who did what from where, newest first.",
        discussion: """
            Entries are changes of accounts and keys, sign-ins, failed ones too, and requests that the access rules \
            refused. A landmark's changes are in its history: "waymark show ID". The newest 100,000 entries are kept.

              waymark audit
              waymark audit -o json --limit 1000
            """)

    @Option(help: "How many entries, at most 1,000.", transform: Values.count)
    var limit = 50

    @Option(word: "id", "Only entries older than this one.")
    var before: UInt64?

    @OptionGroup var asking: AskOptions

    func run(in session: Session) async throws {
        let records = try await session.client.audit(before: before ?? 0, limit: limit)
        let columns: [TextTable.Column] = [
            .init(title: "ID", alignment: .right), .init(title: "AT"), .init(title: "ACCOUNT", style: .bold),
            .init(title: "FROM"), .init(title: "ACTION"), .init(title: "OUTCOME"),
            .init(title: "ABOUT", isFlexible: true),
        ]
        try session.output.list(records, columns, object: { $0.fields($1) }) {
            [
                "\($0.id)", Timestamp.local($0.at), $0.account.nilIfEmpty ?? "-", $0.origin.nilIfEmpty ?? "-", $0.deed,
                $0.outcome, $0.subject,
            ]
        }
    }
}
