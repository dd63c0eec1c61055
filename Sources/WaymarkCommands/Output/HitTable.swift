// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkClient

/// Landmarks as people see them: near, list, search and watch have the same columns.
struct HitTable {
    /// Distance and bearing are known.
    let isMeasured: Bool
    /// Nil: as it suits the distance.
    let unit: DistanceUnit?
    /// How an id is written.
    let id: (UUIDv7) -> String
    private(set) var table: TextTable

    init(_ output: Output, isMeasured: Bool, unit: DistanceUnit?) {
        (self.isMeasured, self.unit, id) = (isMeasured, unit, output.id)
        var columns: [TextTable.Column] = []
        if isMeasured {
            columns = [
                .init(title: "DISTANCE", alignment: .right, style: .bold),
                .init(title: "BEARING", alignment: .right, dropsAt: 2),
            ]
        }
        columns.append(.init(title: "NAME", style: isMeasured ? .plain : .bold, isFlexible: true))
        if !isMeasured { columns.append(.init(title: "POSITION", dropsAt: 2)) }
        columns += [
            .init(title: "KIND", dropsAt: 3), .init(title: "USER", dropsAt: 4),
            .init(title: "ID", style: .dim, dropsAt: 1),
        ]
        table = TextTable(columns)
    }

    mutating func add(_ hit: Hit) {
        let landmark = hit.landmark
        // From a place to itself there is no direction.
        let bearing = hit.distance == 0 ? nil : hit.bearing
        var cells = isMeasured ? [Figures.distance(hit.distance, in: unit), Figures.bearing(bearing)] : []
        cells.append(landmark.name)
        if !isMeasured { cells.append(Figures.position(landmark.coordinate)) }
        let user = landmark.user.isEmpty ? landmark.source.map { "(\($0.name))" } ?? "-" : landmark.user
        table.add(cells + [landmark.kind.nilIfEmpty ?? "-", user, id(landmark.id)])
    }
}
