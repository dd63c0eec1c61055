// SPDX-License-Identifier: Apache-2.0

import WaymarkClient

/// Landmarks as a table for people. near, list, search and watch share its columns.
struct HitTable {
    /// Whether the landmarks have distance and bearing.
    let isMeasured: Bool
    /// The unit of distances; nil if it depends on each distance.
    let unit: DistanceUnit?
    let id: (UUIDv7) -> String
    var table: TextTable
    /// The time zones that were assumed in order to read opening hours.
    private(set) var assumedZones: Set<String> = []
    /// Whether some opening states are unknown because the time zone is unknown.
    private(set) var lacksZone = false

    init(_ output: Output, isMeasured: Bool, unit: DistanceUnit?) {
        (self.isMeasured, self.unit, id) = (isMeasured, unit, output.id)
        let name = TextTable.Column(title: "NAME", style: isMeasured ? .plain : .bold, isFlexible: true)
        // On a narrow terminal the column of the position is the last one to be dropped.
        let place: [TextTable.Column] =
            isMeasured
            ? [
                .init(title: "DISTANCE", alignment: .right, style: .bold),
                .init(title: "BEARING", alignment: .right, dropsAt: 1), name,
            ] : [name, .init(title: "POSITION", dropsAt: 1)]
        table = TextTable(
            place + [
                .init(title: "HOURS", dropsAt: 3, isOptional: true), .init(title: "KIND", dropsAt: 4),
                .init(title: "USER", dropsAt: 5), .init(title: "ID", style: .dim, dropsAt: 2),
            ])
    }

    /// - Parameters:
    ///   - moment: the moment of the opening state, in Unix milliseconds; nil if opening hours were not asked for.
    ///   - style: the style of the whole row; nil if each column keeps its own style.
    mutating func add(_ hit: Hit, openingAt moment: UInt64? = nil, style: Style? = nil) {
        let landmark = hit.landmark
        // At distance 0 there is no bearing.
        let bearing = hit.distance == 0 ? nil : hit.bearing
        var cells = isMeasured ? [Figures.distance(hit.distance, in: unit), Figures.bearing(bearing)] : []
        cells.append(landmark.name)
        if !isMeasured { cells.append(Figures.position(landmark.coordinate)) }
        let hours = moment.flatMap { moment in hit.opening.map { OpeningText.of($0, at: moment) } }
        cells += [hours ?? "-", landmark.kind.nilIfEmpty ?? "-", landmark.owner, id(landmark.id)]
        table.add(cells, style: style)
        guard let opening = hit.opening else { return }
        if opening.isZoneAssumed, opening.until != nil, let zone = opening.zone { assumedZones.insert(zone) }
        if opening.zone == nil, opening.state == .unknown, opening.comment == nil { lacksZone = true }
    }
}

extension Landmark {
    /// The user; for a landmark of a source, the source's name in brackets; `-` if the landmark has neither.
    var owner: String { user.isEmpty ? source.map { "(\($0.name))" } ?? "-" : user }
}
