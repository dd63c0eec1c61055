// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// A source from the configuration.
public struct SourceDefinition: Hashable, Sendable {
    /// The name, which is part of every key: a source with a changed name is a new source.
    public var name: String
    public var location: SourceLocation
    public var format: SourceFormat
    /// The time between fetches; zero to fetch once, at the start.
    public var every: Duration
    /// The policy for landmarks whose rows have vanished from the source.
    public var vanished: VanishedPolicy
    public var limits: FetchLimits

    /// - Throws: an error if the name is not valid for a source.
    public init(
        name: String, location: SourceLocation, format: SourceFormat = .auto, every: Duration = .zero,
        vanished: VanishedPolicy = .keep, limits: FetchLimits = FetchLimits()
    ) throws(InvalidInput) {
        self.name = try LandmarkRules.source(name)
        self.location = location
        self.format = format
        self.every = every
        self.vanished = vanished
        self.limits = limits
    }

    public var schedule: RefreshSchedule { RefreshSchedule(every: every) }

    /// The request for the next fetch, from the validators of the last one.
    public func request(validators: FetchValidators = FetchValidators()) -> FetchRequest {
        FetchRequest(location: location, validators: validators, limits: limits)
    }
}
