// SPDX-License-Identifier: Apache-2.0

/// The sizes and times of the measurements.
struct Scale {
    var rounds: Int
    /// The number of landmarks in the great world.
    var landmarks: Int
    /// The number of landmarks in the small world, for the growth.
    var small: Int
    /// The duration of one measurement and of the warm-up, in seconds.
    var seconds: Double
    var warmUp: Double
    /// Sizes for the comparison with brute force.
    var points: Int
    var questions: Int
    var subscribers: Int
    /// The runs of each command in a round.
    var commands: Int
    /// Towns of the gazetteer, at most about so many; landmarks in one city; landmarks that move, and the moves of
    /// all of them in one round.
    var cities: Int
    var cityLandmarks: Int
    var tracks: Int
    var moves: Int
    /// The duration of each measurement of the machine itself, in seconds.
    var calibration: Double
    var isQuick: Bool

    static let full = Scale(
        rounds: 5, landmarks: 1_000_000, small: 10_000, seconds: 2.5, warmUp: 0.5, points: 100_000, questions: 10_000,
        subscribers: 256, commands: 20, cities: 1_000_000, cityLandmarks: 200_000, tracks: 1_000,
        moves: 120_000, calibration: 0.4, isQuick: false)
    /// For a smoke test of about a minute.
    static let quick = Scale(
        rounds: 1, landmarks: 5_000, small: 1_000, seconds: 0.3, warmUp: 0.1, points: 2_000, questions: 200,
        subscribers: 16, commands: 3, cities: 2_000, cityLandmarks: 2_000, tracks: 50, moves: 500,
        calibration: 0.05, isQuick: true)
}
