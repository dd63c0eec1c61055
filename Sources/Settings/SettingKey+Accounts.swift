// SPDX-License-Identifier: Apache-2.0

extension SettingKey {
    /// Whether everybody has to prove who he is. The same in both services.
    public static let accounts = SettingKey(
        "accounts", .choice(["none", "required"]), default: "none",
        help: "required: everybody signs in, and everything is encrypted. none: whoever can connect may do everything.")
}
