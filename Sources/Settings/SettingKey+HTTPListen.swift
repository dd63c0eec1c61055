// SPDX-License-Identifier: Apache-2.0

extension SettingKey {
    /// Both services have it.
    public static let httpListen = SettingKey(
        "http.listen", .address,
        help: "Where /health/live, /health/ready and /metrics are served over HTTP: host:port. Default: nowhere.")
}
