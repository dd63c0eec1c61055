// SPDX-License-Identifier: Apache-2.0

/// Which time zone is used to read the opening hours of a landmark: that of its source, else the one for all, else that
/// of the nearest city. Only the first one is known; the others are assumed. Names are IANA's: `Australia/Sydney`.
public struct PlaceZones: Sendable {
    public typealias Nearest = @Sendable (_ latitude: Double, _ longitude: Double) -> String?

    /// By the name of the source.
    public var sources: [String: String]
    /// For all landmarks whose source has none.
    public var standard: String?
    /// The zone at a latitude and longitude in degrees; nil where nothing is near. Called on the service's thread, and
    /// remembered by cell. Nil: the service asks the gazetteer, which it loads when the first question needs it.
    public var nearest: Nearest?

    public init(
        sources: [String: String] = [:], standard: String? = nil,
        nearest: Nearest? = nil
    ) {
        (self.sources, self.standard, self.nearest) = (sources, standard, nearest)
    }
}
