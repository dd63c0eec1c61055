// SPDX-License-Identifier: Apache-2.0

/// The settings of a connection: its server and its time limits.
public struct Configuration: Sendable {
    public var url: ConnectionURL
    /// The name of the program in `pg_stat_activity`, unless the URL or `PGAPPNAME` sets another name.
    public var applicationName = "postgresql"
    /// The maximum time for connecting to all hosts of the URL together. Resolving host names has time limits of its
    /// own, which add to this time.
    public var connectTimeout: Duration = .seconds(10)
    /// The maximum time for one answer, from the first byte of the statement to the last byte of the answer.
    public var answerTimeout: Duration = .seconds(30)

    public init(url: ConnectionURL) { self.url = url }
}
