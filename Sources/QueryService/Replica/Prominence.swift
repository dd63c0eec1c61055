// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Landmarks
import WaymarkProtocol

/// The rank of a landmark by prominence: a greater score comes first, then a smaller distance, then a smaller id.
///
/// The score depends on the landmark alone, so that pages neither repeat nor miss an unchanged landmark.
struct Prominence {
    /// The number of ratings, each ``usualRating``, that are added to the landmark's own, because few ratings say
    /// little.
    static let usualRatings = 10.0
    static let usualRating = 3.5
    static let ofNote = 0.02
    static let mostNotes = 5
    static let ofLink = 0.05

    let score: Double
    /// The distance in metres.
    let distance: Double
    let key: PointKey

    /// Returns (10 · 3.5 + n · rating) / (10 + n), plus 0.02 for each of up to 5 notes, plus 0.05 for a link. n is the
    /// number of ratings: 1 if the rating comes without a number, 0 if there is no rating.
    static func score(_ landmark: LandmarkView) -> Double {
        let count = landmark.rating == nil ? 0 : landmark.ratings ?? 1
        let mean = (usualRatings * usualRating + count * (landmark.rating ?? 0)) / (usualRatings + count)
        return mean + ofNote * Double(min(landmark.noteCount, mostNotes)) + (landmark.link.isEmpty ? 0 : ofLink)
    }

    /// Returns a `Float` that is slightly greater than the score.
    static func bound(_ landmark: LandmarkView) -> Float { Float(score(landmark)).nextUp }

    func isBefore(_ other: Prominence) -> Bool {
        if score != other.score { return score > other.score }
        return distance == other.distance ? key < other.key : distance < other.distance
    }
}

/// A validated query for the most prominent landmarks within a radius.
struct ProminenceQuestion {
    let coordinate: Coordinate
    let limit: Int
    let radius: Double
    let minDistance: Double
    let after: Prominence?

    /// - Parameter cursor: the cursor that the page before ended with; nil for the first page.
    init(_ wire: WireNear, after cursor: Cursor?) throws(InvalidInput) {
        guard wire.hasRadiusM else { throw .missing("a radius, which the order by prominence needs: up to 48,280 m") }
        guard wire.radiusM <= WaymarkProtocol.prominenceMetres else {
            throw .outOfRange("radius", "at most 48,280 m (30 miles) in the order by prominence")
        }
        switch cursor {
        case .prominence(let score, let metres, let id):
            after = Prominence(score: score, distance: metres, key: PointKey(id))
        case nil: after = nil
        default: throw .outOfRange("cursor", "one from a page by prominence")
        }
        let question = try NearQuestion(NearFields(wire))
        (coordinate, limit) = (question.coordinate, question.limit)
        (radius, minDistance) = (question.radius ?? 0, question.minDistance ?? 0)
    }
}

/// Collects the most prominent of the landmarks that are offered.
struct MostProminent {
    private struct Candidate {
        let slot: UInt32
        let place: Prominence
        let coordinate: Coordinate
    }

    private let question: ProminenceQuestion
    private let limit: Int
    private var kept: [Candidate] = []
    /// The rank of the last row, once there are enough rows. A landmark with a lower rank cannot belong to the answer.
    private var last: Prominence?

    /// The lowest score that can still belong to the answer.
    var leastScore: Double { last?.score ?? -.infinity }

    /// - Parameter limit: the number of rows to keep.
    init(_ question: ProminenceQuestion, limit: Int) {
        (self.question, self.limit) = (question, limit)
    }

    mutating func offer(_ slot: UInt32, _ record: ReplicaRecord) {
        guard let landmark = LandmarkView(record.bytes) else { return }
        let score = Prominence.score(landmark)
        // The score is compared first, because measuring the distance takes longest.
        if let last, score < last.score { return }
        if let after = question.after, score > after.score { return }
        guard let coordinate = try? Coordinate(latitude: landmark.lat, longitude: landmark.lng) else { return }
        let distance = Geodesic.distance(from: question.coordinate, to: coordinate)
        guard distance <= question.radius, distance >= question.minDistance else { return }
        let place = Prominence(score: score, distance: distance, key: PointKey(record.id))
        guard question.after?.isBefore(place) ?? true, last.map({ place.isBefore($0) }) ?? true else { return }
        kept.append(Candidate(slot: slot, place: place, coordinate: coordinate))
        // Rows are sorted only when there are twice as many as needed, so that sorting costs little for each row.
        guard kept.count >= 2 * limit else { return }
        kept.sort { $0.place.isBefore($1.place) }
        kept.removeLast(kept.count - limit)
        last = kept.last?.place
    }

    /// Removes the given slots from the rows. Returns the number of removed rows.
    mutating func forget(_ touched: Set<UInt32>) -> Int {
        let before = kept.count
        kept.removeAll { touched.contains($0.slot) }
        return before - kept.count
    }

    var rows: [FoundSlot] {
        kept.sorted { $0.place.isBefore($1.place) }.map { candidate in
            let (distance, bearing) = Geodesic.inverse(from: question.coordinate, to: candidate.coordinate)
            return FoundSlot(
                slot: candidate.slot,
                neighbour: Neighbour(
                    key: candidate.place.key, payload: candidate.slot, coordinate: candidate.coordinate,
                    distance: distance, bearing: bearing))
        }
    }
}

extension Replica {
    /// Returns the rank of a row in an answer by prominence.
    func prominence(of row: FoundSlot) -> Prominence? {
        guard let landmark = record(at: row.slot).flatMap({ LandmarkView($0.bytes) }), let neighbour = row.neighbour
        else { return nil }
        return Prominence(score: Prominence.score(landmark), distance: neighbour.distance, key: neighbour.key)
    }
}
