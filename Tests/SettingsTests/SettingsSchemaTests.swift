// SPDX-License-Identifier: Apache-2.0

import Settings
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SettingsSchemaTests {
    @Test
    func describesEveryKey() {
        let schema = SettingsSchema(
            service: "query",
            keys: [
                SettingKey("log.level", .choice(["info"]), default: "info", help: "The least that is logged."),
                SettingKey("insecure", .bool, default: "false", help: "Whether to listen beyond loopback."),
            ],
            groups: [SettingGroup("sources", fields: [SettingKey("url", .location, isRequired: true, help: "Where.")])])
        #expect(
            schema.describe() == """
                key                 default     flag                      variable
                log.level           info        --log-level WORD          WAYMARK_QUERY_LOG_LEVEL
                    The least that is logged.
                insecure            false       --insecure                WAYMARK_QUERY_INSECURE
                    Whether to listen beyond loopback.
                sources.<name>.url  (required)  --sources-<name>-url URL  WAYMARK_QUERY_SOURCES_<NAME>_URL
                    Where.

                """)
    }

    @Test(arguments: [SettingsSchema.storage, .query])
    func fitsATerminal(schema: SettingsSchema) {
        for line in schema.describe().split(separator: "\n") { #expect(line.count <= 120) }
    }
}
