// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Landmarks

/// A landmark filter with the replica's numbers in place of texts. Nil and an empty list of kinds accept every
/// landmark.
struct RecordFilter {
    /// An array, because searching a few numbers one by one is fastest.
    var kinds: [UInt32] = []
    var user: UInt32?
    var source: UInt32?
    let area: Area?
    /// A cap that contains the area; nil without an area, or if the area is larger than half the earth.
    let cap: SurfaceCap?
    /// Evaluated last, because it takes longest.
    var hours: OpeningHoursEvaluator?

    init(area: Area? = nil) {
        self.area = area
        cap = area.flatMap(SurfaceCap.init)
    }

    var isEmpty: Bool { kinds.isEmpty && user == nil && source == nil && area == nil && hours == nil }

    /// The cost of examining one landmark, relative to comparing numbers only. Areas and opening hours take longer, so
    /// that a step examines fewer landmarks.
    var weight: Int { (area == nil ? 1 : 8) * (hours == nil ? 1 : 4) }

    /// Whether the area contains a coordinate; true if there is no area.
    func covers(_ coordinate: Coordinate) -> Bool { area?.contains(coordinate) ?? true }

    /// Whether kind, user and source match. The area and the opening hours are tested elsewhere.
    @inline(__always)
    func matchesValues(of record: ReplicaRecord) -> Bool {
        if !kinds.isEmpty, !kinds.contains(record.numbers.kind) { return false }
        if let user, record.numbers.user != user { return false }
        if let source, record.numbers.source != source { return false }
        return true
    }
}

extension SurfaceCap {
    /// Makes a cap that contains an area; nil if the area is wider than half the earth.
    ///
    /// On a sphere, the farthest places from the middle of a box are corners, if the box is at most 180 degrees wide.
    /// Distances on the ellipsoid differ from those on a sphere by less than one per cent, so 2 % are added.
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
