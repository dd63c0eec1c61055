// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// A source as it is configured.
public struct SourceDefinition: Hashable, Sendable {
    /// Part of every key: another name is another source.
    public var name: String
    public var location: SourceLocation
    public var format: SourceFormat
    /// Time between fetches; zero for one fetch at the start.
    public var every: Duration
    /// What becomes of a landmark whose row the source no longer has.
    public var vanished: VanishedPolicy
    public var limits: FetchLimits

    /// - Throws: when the name breaks the rule for sources' names.
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

    /// What to fetch, given what the last fetch brought.
    public func request(validators: FetchValidators = FetchValidators()) -> FetchRequest {
        FetchRequest(location: location, validators: validators, limits: limits)
    }
}
