// SPDX-License-Identifier: Apache-2.0

/// The names of sockets for the ``ZAPHandler``, which decides about keys by them.
public enum KeyDomain {
    /// Requests to a query service: admits the keys of all accounts.
    public static let requests = "waymark.requests"
    /// Signing in: admits any key.
    public static let signIn = "waymark.sign-in"
    /// Requests to storage: admits the keys of services.
    public static let storage = "waymark.storage"
    /// Storage's feed: admits the keys of all accounts.
    public static let changes = "waymark.changes"
    /// The feed of a query service that is a relay: admits the keys of all accounts.
    public static let relay = "waymark.relay"
}
