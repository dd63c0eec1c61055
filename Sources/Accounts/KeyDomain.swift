// SPDX-License-Identifier: Apache-2.0

/// The domains of sockets, by which the ``ZAPHandler`` decides which keys to admit.
public enum KeyDomain {
    /// The socket for requests to a query service, which admits the keys of all accounts.
    public static let requests = "waymark.requests"
    /// The socket for signing in, which admits any key.
    public static let signIn = "waymark.sign-in"
    /// The socket for requests to storage, which admits the keys of services.
    public static let storage = "waymark.storage"
    /// The socket of storage's feed, which admits the keys of all accounts.
    public static let changes = "waymark.changes"
    /// The socket of the feed of a query service that relays it, which admits the keys of all accounts.
    public static let relay = "waymark.relay"
}
