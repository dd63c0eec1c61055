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
    private var rows: [(cells: [String], opening: String?, style: Style?)] = []
    /// The time zones by which hours were read, as far as they are assumed.
    private(set) var assumedZones: Set<String> = []
    /// Whether hours are unknown because no time zone is.
    private(set) var lacksZone = false

    var isEmpty: Bool { rows.isEmpty }

    init(_ output: Output, isMeasured: Bool, unit: DistanceUnit?) {
        (self.isMeasured, self.unit, id) = (isMeasured, unit, output.id)
    }

    /// With a column for opening hours if any landmark has some. Where it is narrow, the place is the last to go.
    var table: TextTable {
        let hasHours = rows.contains { $0.opening != nil }
        var columns: [TextTable.Column] = []
        if isMeasured {
            columns = [
                .init(title: "DISTANCE", alignment: .right, style: .bold),
                .init(title: "BEARING", alignment: .right, dropsAt: 1),
            ]
        }
        columns.append(.init(title: "NAME", style: isMeasured ? .plain : .bold, isFlexible: true))
        if !isMeasured { columns.append(.init(title: "POSITION", dropsAt: 1)) }
        if hasHours { columns.append(.init(title: "HOURS", dropsAt: 3)) }
        columns += [
            .init(title: "KIND", dropsAt: 4), .init(title: "USER", dropsAt: 5),
            .init(title: "ID", style: .dim, dropsAt: 2),
        ]
        var table = TextTable(columns)
        // Before the kind, the user and the id.
        let place = columns.count - 4
        for (cells, opening, style) in rows {
            var cells = cells
            if hasHours { cells.insert(opening ?? "-", at: place) }
            table.add(cells, style: style)
        }
        return table
    }

    /// The notices about time zones stay.
    mutating func removeRows() { rows.removeAll(keepingCapacity: true) }

    /// - Parameters:
    ///   - moment: the moment that the opening is of, in Unix milliseconds; nil if none was asked for.
    ///   - style: that of the whole row; nil: those of the columns.
    mutating func add(_ hit: Hit, openingAt moment: UInt64? = nil, style: Style? = nil) {
        let landmark = hit.landmark
        // At distance 0 the bearing has no meaning.
        let bearing = hit.distance == 0 ? nil : hit.bearing
        var cells = isMeasured ? [Figures.distance(hit.distance, in: unit), Figures.bearing(bearing)] : []
        cells.append(landmark.name)
        if !isMeasured { cells.append(Figures.position(landmark.coordinate)) }
        cells += [landmark.kind.nilIfEmpty ?? "-", landmark.owner, id(landmark.id)]
        let opening = moment.flatMap { moment in hit.opening.map { OpeningText.of($0, at: moment) } }
        rows.append((cells, opening, style))
        guard let opening = hit.opening else { return }
        if opening.isZoneAssumed, opening.until != nil, let zone = opening.zone { assumedZones.insert(zone) }
        if opening.zone == nil, opening.state == .unknown, opening.comment == nil { lacksZone = true }
    }
}

extension Landmark {
    /// The user, or the source in brackets; `-`: neither.
    var owner: String { user.isEmpty ? source.map { "(\($0.name))" } ?? "-" : user }
}
