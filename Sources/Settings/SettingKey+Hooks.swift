// SPDX-License-Identifier: Apache-2.0

/// The settings of hooks, which a query service delivers.
extension SettingKey {
    public static let hooks: [SettingKey] = [
        SettingKey("hooks.enabled", .bool, default: "true", help: "Whether this service delivers hooks."),
        SettingKey(
            "hooks.allow", .string,
            help: """
                Addresses that hooks may lead to although not all the world can reach them, with commas: addresses, or \
                networks such as 10.0.0.0/8. Default: none.
                """),
        SettingKey(
            "hooks.proxy", .string,
            help:
                "URL of the proxy for hooks. It decides where names lead, so it must guard this network. Default: none."
        ),
        SettingKey(
            "hooks.timeout", .duration(.milliseconds(100)...Duration.seconds(60)), default: "10s",
            help: "The time limit for a receiver's answer."),
        SettingKey(
            "hooks.retry-most", .duration(.milliseconds(100)...Duration.seconds(86_400)), default: "1h",
            help: "The longest pause between two tries. The first is one second, and each further one is doubled."),
        SettingKey(
            "hooks.give-up", .duration(.milliseconds(100)...Duration.seconds(30 * 86_400)), default: "24h",
            help: "Time after which a message that fails is put aside, and the next one is sent."),
    ]
}
