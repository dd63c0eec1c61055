// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
import WaymarkProtocol

/// The rule that decides which queries the replica of a region may answer: only those for which a replica of all
/// landmarks would certainly give the same answer. Other queries are refused with an error of their own, because a
/// wrong answer looks like a right one. `Regions.md` has the table.
struct HeldRegion {
    /// The region that the replica holds; nil if it holds all landmarks.
    let region: Region?

    /// Whether the replica holds every landmark that a filter with this area can match.
    func holds(_ area: Area?) -> Bool {
        guard let region else { return true }
        return area.map(region.holds) ?? false
    }

    func holds(_ box: AreaBox?) -> Bool { box.map { region?.holds($0) ?? true } ?? false }

    /// Refuses a query to which no answer from this region could be certain, whatever is found.
    func mayAnswer(_ order: Scan.Order) throws(ServiceError) {
        guard let region else { return }
        let isPossible =
            switch order {
            case .near(let question): region.margin(at: question.coordinate) > 0
            case .prominent(let question): question.radius < region.margin(at: question.coordinate)
            // The first landmark by name, or the most recently changed, may be outside the region.
            case .named, .recent: false
            }
        guard isPossible else { throw outside }
    }

    /// Refuses an answer that may lack a landmark outside the region.
    ///
    /// The nearest rows are certain if every place outside the region is farther away than the last of these rows. One
    /// more row, wherever it is, proves that there is another page. That there is no other page is certain only if the
    /// whole radius lies within the region.
    ///
    /// - Parameter found: the rows that were found: one more than `limit` if there is another page.
    func certify(_ found: [FoundSlot], _ limit: Int, _ order: Scan.Order) throws(ServiceError) {
        guard let region, case .near(let question) = order else { return }
        let margin = region.margin(at: question.coordinate)
        if let radius = question.radius, radius < margin { return }
        guard found.count > limit, let last = found[limit - 1].neighbour, last.distance < margin else {
            throw outside
        }
    }

    var outside: ServiceError { .outside(region) }
}

extension ServiceError {
    static func outside(_ region: Region?) -> ServiceError {
        ServiceError(
            .outsideRegion,
            "This query service holds only \(region?.name ?? "the landmarks of a region"), and the answer may need "
                + "others: ask a service that holds more, or ask about a smaller area.")
    }
}

extension Region {
    /// The region in words, for errors and for the health report.
    var name: String {
        switch area {
        case .circle(let centre, let radius):
            "the landmarks within \(Int(radius)) m of \(centre.latitude),\(centre.longitude)"
        case .box(let box): "the landmarks within \(box.south),\(box.west),\(box.north),\(box.east)"
        case .polygon(let polygon):
            "the landmarks within a polygon of \(polygon.rings.reduce(0) { $0 + $1.count }) corners"
        }
    }
}
