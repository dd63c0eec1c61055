// SPDX-License-Identifier: Apache-2.0

/// The rule that finds the time zone in which a landmark's opening hours are read: the zone of its source, else the
/// zone for all landmarks, else the zone of the nearest city. The zone of a source counts as known, the two others as
/// assumed. Names are IANA's, such as `Australia/Sydney`.
public struct PlaceZones: Sendable {
    public typealias Nearest = @Sendable (_ latitude: Double, _ longitude: Double) -> String?

    /// Zones by the name of the source.
    public var sources: [String: String] = [:]
    /// The time zone of all landmarks whose source has no zone here; nil if there is none.
    public var standard: String?
    /// Finds the time zone at a latitude and longitude in degrees; returns nil where no city is near. It is called on
    /// the service's thread, and its results are cached by cell. If this property is nil, the service asks the
    /// gazetteer, which it loads when a query first needs it.
    public var nearest: Nearest?
}
