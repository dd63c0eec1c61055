// SPDX-License-Identifier: Apache-2.0

extension SettingKey {
    /// The same in both services.
    public static let logLevel = SettingKey(
        "log.level", .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]), default: "info",
        help: "The least important message that is logged.")

    public static let logFormat = SettingKey(
        "log.format", .choice(["auto", "text", "json"]), default: "auto",
        help: "How a line of the log is written. auto: text on a terminal, JSON otherwise.")

    public static let drain = SettingKey(
        "drain", .duration(.milliseconds(100)...Duration.seconds(3_600)), default: "10s",
        help: "How long a stop may take until the process ends without having finished.")
}
