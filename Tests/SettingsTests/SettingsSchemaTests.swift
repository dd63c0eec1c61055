// SPDX-License-Identifier: Apache-2.0

import Settings
import TestTurns
import Testing

@Suite(.inShortTurn)
struct SettingsSchemaTests {
    @Test
    func describesEveryKey() {
        let schema = SettingsSchema(
            service: "query",
            keys: [
                SettingKey("log.level", .choice(["info"]), default: "info", help: "The least that is logged."),
                SettingKey(
                    "insecure", .bool, default: "false",
                    help: "Whether to listen beyond loopback, although that may be a little less careful than you are."),
            ],
            groups: [SettingGroup("sources", fields: [SettingKey("url", .location, isRequired: true, help: "Where.")])])
        #expect(
            schema.describe() == """
                log.level (default info)
                    The least that is logged.
                    --log-level WORD, WAYMARK_QUERY_LOG_LEVEL
                insecure (default false)
                    Whether to listen beyond loopback, although that may be a little less
                    careful than you are.
                    --insecure, WAYMARK_QUERY_INSECURE
                sources.<name>.url (required)
                    Where.
                    --sources-<name>-url URL, WAYMARK_QUERY_SOURCES_<NAME>_URL

                """)
    }

    @Test(arguments: [SettingsSchema.storage, .query])
    func fitsATerminal(schema: SettingsSchema) {
        for line in schema.describe().split(separator: "\n") { #expect(line.count <= 78) }
    }
}
