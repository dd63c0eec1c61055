// SPDX-License-Identifier: Apache-2.0

public import Ingest

/// Where the rates of currencies are fetched, and how often.
public struct RatesSource: Hashable, Sendable {
    public var location: SourceLocation
    /// Time between fetches; zero: fetch once, at the start.
    public var every: Duration
    /// The path of a file that keeps what was fetched last; nil: a restart loses it.
    public var kept: String?

    public init(location: SourceLocation, every: Duration = .seconds(21_600), kept: String? = nil) {
        (self.location, self.every, self.kept) = (location, every, kept)
    }
}
