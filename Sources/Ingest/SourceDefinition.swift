// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// A source as a configuration defines it.
public struct SourceDefinition: Equatable, Sendable {
    /// The name, which is a part of every landmark's key. Changing the name makes a new source.
    public var name: String
    public var location: SourceLocation
    public var format: SourceFormat
    /// The time between fetches; zero to fetch only once, at the start.
    public var every: Duration
    /// The treatment of landmarks whose rows have vanished from the source.
    public var vanished: VanishedPolicy
    public var limits: FetchLimits

    /// - Throws: an error if the name is not allowed for a source.
    public init(
        name: String, location: SourceLocation, format: SourceFormat = .auto, every: Duration = .zero,
        vanished: VanishedPolicy = .keep, limits: FetchLimits = FetchLimits()
    ) throws(InvalidInput) {
        self.name = try LandmarkRules.source(name)
        (self.location, self.format, self.every) = (location, format, every)
        (self.vanished, self.limits) = (vanished, limits)
    }

    /// Makes the request for the next fetch from the validators of the last fetch.
    public func request(validators: FetchValidators = FetchValidators()) -> FetchRequest {
        FetchRequest(location: location, validators: validators, limits: limits)
    }
}
