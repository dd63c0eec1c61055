// SPDX-License-Identifier: Apache-2.0

/// Settings of a connection: its server, and how long it waits.
public struct Configuration: Sendable {
    public var url: ConnectionURL
    /// The name in `pg_stat_activity`, unless the URL or `PGAPPNAME` gives another.
    public var applicationName = "postgresql"
    /// The time for connecting, for all hosts of the URL together. The resolver of host names has limits of its own,
    /// which come on top.
    public var connectTimeout: Duration = .seconds(10)
    /// The time that one answer may take, from its statement's first byte to the answer's last.
    public var answerTimeout: Duration = .seconds(30)
    /// The most connections of a ``ConnectionPool``.
    public var maximumConnectionCount = 5

    public init(url: ConnectionURL) { self.url = url }
}
