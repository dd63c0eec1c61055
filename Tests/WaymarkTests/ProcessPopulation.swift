// SPDX-License-Identifier: Apache-2.0

import TestSupport

import Geodesy
import Landmarks

struct MeasuredLandmark {
    var landmark: Landmark
    var distance: Double
}

/// Points all over the world, including places where an index could go wrong.
enum ProcessPopulation {
    static func rows(_ random: inout SplitMix64) -> [ProcessRow] {
        var points: [(Double, Double)] = [
            (90, 0), (90, 120), (-90, 0), (-90, -77), (0, 180), (0, -180), (0, 0), (10, 180), (10, -180),
            (89.999_999, 45), (-89.999_999, -135), (1, 0), (0, 0.998),
        ]
        for _ in 0..<1_200 {
            points.append((.random(in: -90...90, using: &random), .random(in: -180...180, using: &random)))
        }
        for _ in 0..<900 {
            points.append(
                (.random(in: -33.9 ... -33.7, using: &random), .random(in: 151.1...151.4, using: &random)))
        }
        for _ in 0..<300 {
            points.append((.random(in: -1...1, using: &random), 180 - .random(in: 0...0.5, using: &random)))
            points.append((.random(in: -1...1, using: &random), -180 + .random(in: 0...0.5, using: &random)))
        }
        // Many points at one place, which only their ids distinguish.
        for index in 0..<300 { points.append(points[index % 30]) }
        return points.enumerated().map { index, point in
            ProcessRow(name: "point \(index)", lat: point.0, lng: point.1, kind: "kind_\(index % 5)")
        }
    }

    /// A random place, often where the points are dense or on one of the seams.
    static func position(_ random: inout SplitMix64) -> Coordinate {
        let (latitude, longitude): (Double, Double) =
            switch Int.random(in: 0..<6, using: &random) {
            case 0: (.random(in: -33.9 ... -33.7, using: &random), .random(in: 151.1...151.4, using: &random))
            case 1: (.random(in: -1...1, using: &random), Bool.random(using: &random) ? 180 : -179.9)
            case 2: (Bool.random(using: &random) ? 90 : -90, .random(in: -180...180, using: &random))
            default: (.random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
            }
        guard let position = try? Coordinate(latitude: latitude, longitude: longitude) else {
            preconditionFailure("\(latitude), \(longitude)")
        }
        return position
    }

    /// All landmarks in the order of the expected answer: by distance, then by id.
    static func measured(_ landmarks: [Landmark], from here: Coordinate) -> [MeasuredLandmark] {
        landmarks.map { MeasuredLandmark(landmark: $0, distance: Geodesic.distance(from: here, to: $0.coordinate)) }
            .sorted { ($0.distance, $0.landmark.id) < ($1.distance, $1.landmark.id) }
    }
}
