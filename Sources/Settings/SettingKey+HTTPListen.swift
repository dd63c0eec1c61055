// SPDX-License-Identifier: Apache-2.0

extension SettingKey {
    public static let httpListen = SettingKey(
        "http.listen", .address,
        help: """
            host:port of a listener for probes and metrics: /health/live, /health/ready, /metrics. \
            Default: no listener.
            """)

    public static let httpInsecure = SettingKey(
        "http.insecure", .bool, default: "false",
        help: """
            Whether that listener may be where other machines can connect: it tells numbers and states to everybody, \
            without encryption.
            """)
}
