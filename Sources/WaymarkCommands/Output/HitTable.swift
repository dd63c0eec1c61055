// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkClient

/// Landmarks as a table for people. near, list, search and watch share its columns.
struct HitTable {
    /// Whether distance and bearing are known.
    let isMeasured: Bool
    /// Nil chooses the unit by the distance.
    let unit: DistanceUnit?
    /// Formats an id.
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
        // At distance 0 the bearing has no meaning.
        let bearing = hit.distance == 0 ? nil : hit.bearing
        var cells = isMeasured ? [Figures.distance(hit.distance, in: unit), Figures.bearing(bearing)] : []
        cells.append(landmark.name)
        if !isMeasured { cells.append(Figures.position(landmark.coordinate)) }
        let user = landmark.user.isEmpty ? landmark.source.map { "(\($0.name))" } ?? "-" : landmark.user
        table.add(cells + [landmark.kind.nilIfEmpty ?? "-", user, id(landmark.id)])
    }
}
