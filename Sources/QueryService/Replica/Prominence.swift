// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Landmarks
import WaymarkProtocol

/// The rank of a landmark by prominence: greater score first, then smaller distance, then smaller id.
///
/// The score depends on the landmark alone, so pages of an answer neither repeat nor miss an unchanged landmark.
struct Prominence {
    /// Assumed ratings, each of ``usualRating``, that are added to a landmark's own: few ratings say little.
    static let usualRatings = 10.0
    static let usualRating = 3.5
    static let ofNote = 0.02
    static let mostNotes = 5
    static let ofLink = 0.05

    let score: Double
    /// Metres.
    let distance: Double
    let key: PointKey

    /// (10 · 3.5 + n · rating) / (10 + n) + 0.02 for each of up to 5 notes + 0.05 for a link; n is the number of ratings,
    /// 1 for a rating without a number, and 0 without a rating.
    static func score(_ landmark: LandmarkView) -> Double {
        let count = landmark.rating == nil ? 0 : landmark.ratings ?? 1
        let mean = (usualRatings * usualRating + count * (landmark.rating ?? 0)) / (usualRatings + count)
        return mean + ofNote * Double(min(landmark.noteCount, mostNotes)) + (landmark.link.isEmpty ? 0 : ofLink)
    }

    /// The score rounded up, as a `Float`.
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

    /// - Parameter cursor: the end of the page before; nil for the first page.
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

/// Collects the most prominent of the landmarks that are offered one by one.
struct MostProminent {
    private struct Candidate {
        let slot: UInt32
        let place: Prominence
        let coordinate: Coordinate
    }

    private let question: ProminenceQuestion
    private let limit: Int
    private var kept: [Candidate] = []
    /// The last row that can still belong to the answer, once there are enough.
    private var last: Prominence?

    /// The least score that can still belong to the answer.
    var leastScore: Double { last?.score ?? -.infinity }

    /// - Parameter limit: the rows to keep.
    init(_ question: ProminenceQuestion, limit: Int) {
        (self.question, self.limit) = (question, limit)
    }

    mutating func offer(_ slot: UInt32, _ record: ReplicaRecord) {
        guard let landmark = LandmarkView(record.bytes) else { return }
        let score = Prominence.score(landmark)
        // The score is compared first: measuring the distance takes longest.
        if let last, score < last.score { return }
        if let after = question.after, score > after.score { return }
        guard let coordinate = try? Coordinate(latitude: landmark.lat, longitude: landmark.lng) else { return }
        let distance = Geodesic.distance(from: question.coordinate, to: coordinate)
        guard distance <= question.radius, distance >= question.minDistance else { return }
        let place = Prominence(score: score, distance: distance, key: PointKey(record.id))
        guard question.after?.isBefore(place) ?? true, last.map({ place.isBefore($0) }) ?? true else { return }
        kept.append(Candidate(slot: slot, place: place, coordinate: coordinate))
        // Sorting waits until twice the limit has gathered, which keeps its cost for each row small.
        guard kept.count >= 2 * limit else { return }
        kept.sort { $0.place.isBefore($1.place) }
        kept.removeLast(kept.count - limit)
        last = kept.last?.place
    }

    /// - Returns: how many of these slots had been kept.
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
    /// The rank of a row in an answer by prominence.
    func prominence(of row: FoundSlot) -> Prominence? {
        guard let landmark = record(at: row.slot).flatMap({ LandmarkView($0.bytes) }), let neighbour = row.neighbour
        else { return nil }
        return Prominence(score: Prominence.score(landmark), distance: neighbour.distance, key: neighbour.key)
    }
}
