// SPDX-License-Identifier: Apache-2.0

/// Settings that both services have.
extension SettingKey {
    public static let logLevel = SettingKey(
        "log.level", .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]), default: "info",
        help: "The lowest level of messages to log.")

    public static let logFormat = SettingKey(
        "log.format", .choice(["auto", "text", "json"]), default: "auto",
        help: "The format of log lines. auto: text on a terminal, JSON otherwise.")

    public static let drain = SettingKey(
        "drain", .duration(.milliseconds(100)...Duration.seconds(3_600)), default: "10s",
        help: "The time limit for finishing requests at a stop. After it the process ends at once and logs that.")

    /// Whether clients have to prove their identity.
    public static let accounts = SettingKey(
        "accounts", .choice(["none", "required"]), default: "none",
        help: "required: everybody signs in, and everything is encrypted. none: whoever can connect may do everything.")

    public static let httpListen = SettingKey(
        "http.listen", .address,
        help: """
            host:port of a listener for probes and metrics: /health/live, /health/ready, /metrics. \
            Default: no listener.
            """)

    public static let httpInsecure = SettingKey(
        "http.insecure", .bool, default: "false",
        help: """
            Whether http.listen may be an address that other machines can reach: the listener shows figures and states \
            to everybody, without encryption.
            """)
}
