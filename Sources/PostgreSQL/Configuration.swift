// SPDX-License-Identifier: Apache-2.0

/// How a connection is opened, and how long it waits.
public struct Configuration: Sendable {
    public var url: ConnectionURL
    /// As `pg_stat_activity` shows it, where neither the URL nor `PGAPPNAME` names another.
    public var applicationName = "postgresql"
    /// For all hosts of the URL together. The resolver of host names has limits of its own, which come on top.
    public var connectTimeout: Duration = .seconds(10)
    /// How long one answer may take, from its statement's first byte to the answer's last.
    public var answerTimeout: Duration = .seconds(30)
    /// Connections of a ``ConnectionPool``.
    public var maximumConnectionCount = 5

    public init(url: ConnectionURL) { self.url = url }
}
