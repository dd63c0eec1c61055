// SPDX-License-Identifier: Apache-2.0

/// What servers call themselves to the ``ZAPHandler``.
public enum KeyDomain {
    /// Requests to a query service: the keys of all accounts.
    public static let requests = "waymark.requests"
    /// Signing in: any key.
    public static let signIn = "waymark.sign-in"
    /// Requests to storage: keys of services.
    public static let storage = "waymark.storage"
    /// Storage's feed: the keys of all accounts.
    public static let changes = "waymark.changes"
    /// The feed of a query service that is a relay: the keys of all accounts.
    public static let relay = "waymark.relay"
}
