// SPDX-License-Identifier: Apache-2.0

/// The rule for the time zone in which a landmark's opening hours are read: the zone of its source, else the zone for
/// all landmarks, else the zone of the nearest city. A source's zone is known; the others are assumed. Names are
/// IANA's: `Australia/Sydney`.
public struct PlaceZones: Sendable {
    public typealias Nearest = @Sendable (_ latitude: Double, _ longitude: Double) -> String?

    /// Zones by the name of the source.
    public var sources: [String: String]
    /// The zone of all landmarks whose source has none.
    public var standard: String?
    /// The zone at a latitude and longitude in degrees; nil where no city is near. Called on the service's thread, and
    /// cached by cell. Without this function the service asks the gazetteer, which it loads when a question first needs
    /// it.
    public var nearest: Nearest?

    public init(
        sources: [String: String] = [:], standard: String? = nil,
        nearest: Nearest? = nil
    ) {
        (self.sources, self.standard, self.nearest) = (sources, standard, nearest)
    }
}
