// SPDX-License-Identifier: Apache-2.0

extension SettingKey {
    public static let httpListen = SettingKey(
        "http.listen", .address,
        help: """
            host:port of a listener for probes and metrics: /health/live, /health/ready, /metrics. \
            Default: no listener.
            """)
}
