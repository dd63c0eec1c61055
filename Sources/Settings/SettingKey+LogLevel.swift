// SPDX-License-Identifier: Apache-2.0

extension SettingKey {
    /// The same in both services.
    public static let logLevel = SettingKey(
        "log.level", .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]), default: "info",
        help: "The least important message that is logged.")
}
