// SPDX-License-Identifier: Apache-2.0

internal import Geodesy
internal import Landmarks

/// The reason why a report of a phone moves nothing.
package enum ReportRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The app encrypts its positions with a secret of its own.
    case encrypted
    /// The report has more positions than one request may have.
    case tooMany
    /// The report cannot be read; the text says why.
    case unreadable(String)

    /// The most positions of a report.
    package static let mostPoints = 1_000

    package var description: String {
        switch self {
        case .encrypted: "OwnTracks has encrypted the position: turn its encryption off."
        case .tooMany: "The report has more than \(Self.mostPoints) positions: send fewer at once."
        case .unreadable(let reason): reason
        }
    }

    /// Reads the body of a report.
    package static func read(_ bytes: [UInt8]) throws(ReportRefusal) -> JSONValue {
        do throws(JSONError) { return try JSONReader.read(bytes) } catch {
            throw .unreadable("The report is not JSON. \(error)")
        }
    }

    /// Returns the time of a report.
    ///
    /// - Parameter now: the time of a report that has none, in Unix milliseconds.
    static func time(_ value: JSONValue?, or now: UInt64) throws(ReportRefusal) -> UInt64 {
        guard let value, !value.isNull else { return now }
        guard let time = ReportTime.milliseconds(value) else {
            throw .unreadable("The report's time cannot be read: send seconds since 1970 or RFC 3339.")
        }
        return time
    }
}

extension TrackPoint {
    /// Makes a point of what a report has. Apps write negative numbers for an accuracy and a speed that they do not
    /// know.
    ///
    /// - Parameters:
    ///   - accuracy: in metres.
    ///   - speed: in metres a second.
    ///   - problem: the sentence of the error if latitude and longitude are not a position.
    init(
        _ latitude: Double?, _ longitude: Double?, at time: UInt64, accuracy: Double?, speed: Double?,
        or problem: String
    ) throws(ReportRefusal) {
        guard let latitude, let longitude, let place = try? Coordinate(latitude: latitude, longitude: longitude) else {
            throw .unreadable(problem)
        }
        func known(_ number: Double?) -> Double? { number.flatMap { 0..<1e6 ~= $0 ? $0 : nil } }
        self.init(rev: 0, at: time, coordinate: place, accuracy: known(accuracy), speed: known(speed))
    }
}
