// SPDX-License-Identifier: Apache-2.0

public import Ingest

/// The source of currency rates, and how often it is fetched.
public struct RatesSource: Hashable, Sendable {
    public var location: SourceLocation
    /// The time between fetches; zero if the rates are fetched once, at the start.
    public var every: Duration
    /// The path of a file that keeps the rates fetched last; nil if a restart may lose them.
    public var kept: String?

    public init(location: SourceLocation, every: Duration = .seconds(21_600), kept: String? = nil) {
        (self.location, self.every, self.kept) = (location, every, kept)
    }
}
