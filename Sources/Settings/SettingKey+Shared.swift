// SPDX-License-Identifier: Apache-2.0

extension SettingKey {
    /// Settings that both services have.
    public static let logLevel = SettingKey(
        "log.level", .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]), default: "info",
        help: "The lowest level of messages to log.")

    public static let logFormat = SettingKey(
        "log.format", .choice(["auto", "text", "json"]), default: "auto",
        help: "The format of log lines. auto: text on a terminal, JSON otherwise.")

    public static let drain = SettingKey(
        "drain", .duration(.milliseconds(100)...Duration.seconds(3_600)), default: "10s",
        help: "The time limit for finishing requests at a stop. After it the process ends at once and logs that.")
}
