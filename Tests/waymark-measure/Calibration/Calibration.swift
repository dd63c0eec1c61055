// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// What the machine itself can do, measured in about two seconds. It stands beside the figures, so that runs of two
/// machines, or of two hours on one machine, can be laid side by side.
struct Calibration: Codable, Hashable {
    /// Nanoseconds for a step of dependent integer work.
    var integerStep: Double
    /// Nanoseconds for a step of a walk in random order through 64 MiB.
    var memoryStep: Double
    /// Microseconds to write 4 KiB and flush them to the disk of the run's folder.
    var flushP50: Double
    var flushP99: Double
    /// Microseconds for 64 bytes there and back over TCP on loopback.
    var roundTripP50: Double

    enum CodingKeys: String, CodingKey {
        case integerStep = "integer_step_ns"
        case memoryStep = "memory_step_ns"
        case flushP50 = "flush_p50_us"
        case flushP99 = "flush_p99_us"
        case roundTripP50 = "round_trip_p50_us"
    }

    /// - Parameters:
    ///   - folder: where the run's services write.
    ///   - seconds: of each of the four measurements.
    /// - Throws: ``CalibrationError``.
    static func here(folder: String, seconds: Double) throws(CalibrationError) -> Calibration {
        let disk = try DiskFlush(folder: folder)
        defer { disk.close() }
        let trip = try LoopbackTrip()
        defer { trip.close() }
        let limit = UInt64(seconds * 1e9)
        let flushes = try disk.times(limit)
        return Calibration(
            integerStep: ProcessorSteps.integer(limit), memoryStep: ProcessorSteps.memory(limit),
            flushP50: Double(flushes.at(50)) / 1_000, flushP99: Double(flushes.at(99)) / 1_000,
            roundTripP50: Double(try trip.times(limit).at(50)) / 1_000)
    }
}

/// Why the machine could not be measured.
enum CalibrationError: Error, CustomStringConvertible {
    case disk
    case loopback

    var description: String {
        switch self {
        case .disk: "The run's folder takes no file of a megabyte: make room there."
        case .loopback: "A connection over loopback does not work."
        }
    }
}
