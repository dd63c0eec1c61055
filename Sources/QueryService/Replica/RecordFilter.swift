// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Landmarks

/// A filter with the replica's numbers in place of texts. Nil, and an empty list of kinds, accept any value.
struct RecordFilter {
    /// An array, because searching a few numbers one by one is quickest.
    var kinds: [UInt32] = []
    var user: UInt32?
    var source: UInt32?
    let area: Area?
    /// A bound that contains the area; nil without an area, or if the area is larger than half the earth.
    let cap: SurfaceCap?
    /// Examined last, because it takes longest.
    var hours: OpeningHoursEvaluator?

    init(area: Area? = nil) {
        self.area = area
        cap = area.flatMap(SurfaceCap.init)
    }

    var isEmpty: Bool { kinds.isEmpty && user == nil && source == nil && area == nil && hours == nil }

    /// The cost of examining one landmark, relative to plain numbers: an area or opening hours take longer, so a step
    /// looks at fewer landmarks.
    var weight: Int { (area == nil ? 1 : 8) * (hours == nil ? 1 : 4) }

    /// Whether the area contains a place; true without an area.
    func covers(_ coordinate: Coordinate) -> Bool { area?.contains(coordinate) ?? true }

    /// Whether kind, user and source match; area and hours are examined elsewhere.
    @inline(__always)
    func matchesValues(of record: ReplicaRecord) -> Bool {
        if !kinds.isEmpty, !kinds.contains(record.kind) { return false }
        if let user, record.user != user { return false }
        if let source, record.source != source { return false }
        return true
    }
}

extension SurfaceCap {
    /// A cap that contains an area; nil if the area is wider than half the earth.
    ///
    /// In a box that is at most 180 degrees wide, a corner is farthest from the middle, on a sphere. On the ellipsoid,
    /// distances differ from those on a sphere by less than one part in a hundred.
    init?(_ area: Area) {
        if case .circle(let centre, let radius) = area {
            self.init(centre: centre, radius: radius)
            return
        }
        let box = area.bounds
        let width = box.east - box.west + (box.west > box.east ? 360 : 0)
        let latitude = (box.south + box.north) / 2
        guard width <= 180, let centre = try? Coordinate(latitude: latitude, longitude: box.west + width / 2) else {
            return nil
        }
        let corners = [box.south, box.north].compactMap { try? Coordinate(latitude: $0, longitude: box.west) }
        let distances = corners.map { Geodesic.distance(from: centre, to: $0) }
        self.init(centre: centre, radius: (distances.max() ?? .infinity) * 1.02 + 1_000)
    }
}
