// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Histogram

/// The report of a test with all its runs. It is written to a file, and read again to compare reports.
public struct LoadReport: Codable, Sendable {
    /// The version of the file format. It is raised when a field changes its meaning.
    public static let version = 1

    /// One run of the test. Repeated runs have the same label.
    public struct Run: Codable, Sendable {
        /// The label that distinguishes the case from other cases: `64 B`, `5000/s`.
        public var label: String
        /// The label of the run of which this one counts only one kind of operation or one part of the profile; nil if
        /// it counts all operations.
        public var partOf: String?
        /// The number of the profile's part that this run counts, from 1; nil if it counts no such part.
        public var partNumber: Int?
        /// Whether the run was made over the bare bus, for comparison.
        public var isBare: Bool
        public var shape: LoadShape
        /// The number of rows in one operation; nil if an operation has only one row.
        public var rowsPerOperation: Int?
        public var figures: LoadFigures
        public var perSecond: [Tally.Second]
        /// Pairs of a latency (in nanoseconds, the highest value of its bucket) and the number of its occurrences.
        public private(set) var histogram: [[UInt64]]

        enum CodingKeys: String, CodingKey {
            case label
            case partOf = "part_of"
            case partNumber = "part"
            case isBare = "bare"
            case shape
            case rowsPerOperation = "rows_per_operation"
            case figures
            case perSecond = "per_second"
            case histogram = "histogram_ns"
        }

        /// - Parameter label: nil for that of a part of the load.
        public init(
            label: String? = nil, partOf whole: String? = nil, isBare: Bool = false, shape: LoadShape,
            result: LoadResult, rowsPerOperation: Int? = nil
        ) {
            (self.label, partOf, self.isBare, self.shape) = (label ?? result.name, whole, isBare, shape)
            (figures, partNumber) = (result.figures, result.number)
            self.rowsPerOperation = rowsPerOperation
            perSecond = result.tally.seconds
            histogram = result.tally.latencies.histogram.recordedValues().map { [$0.value, $0.count] }
        }

        /// Whether the run tested the service and counts the whole load.
        public var isWhole: Bool { !isBare && partOf == nil }

        /// The latencies, as precise as the buckets of the histogram.
        public var latencies: Latencies {
            var latencies = Latencies()
            for pair in histogram { latencies.record(pair[0], count: pair[1]) }
            return latencies
        }
    }

    public var version = Self.version
    /// The kind of test: `bus req`, `near`, …
    public var mode: String
    /// The time at which the test began, in RFC 3339.
    public var at: String
    /// The command line of the test, to repeat it.
    public var command: String
    /// The parameters of the test other than the load's shape: `limit`, `radius_m`, `landmarks`. Nil if they are
    /// unknown.
    public var parameters: [String: String]?
    public var machine: MachineInfo
    public var runs: [Run]
    /// The highest rate of each case in a search for the limit, in operations per second; nil if none was made.
    public var knees: [String: Double]?
    /// The sentence about the rule that ended the test early; nil if none did.
    public var aborted: String?
    /// The command that removes the landmarks which the test added; nil if none are left.
    public var removal: String?
    /// Reasons to doubt the figures, one sentence each.
    public var warnings: [String] = []

    public init(mode: String, at: Date, command: String, machine: MachineInfo, runs: [Run]) {
        (self.mode, self.command, self.machine, self.runs) = (mode, command, machine, runs)
        self.at = at.formatted(.iso8601)
    }

    /// Encodes the report as JSON on one line, with the members sorted by name.
    public func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// - Throws: an error if the data is no report that this version can read.
    public init(_ data: Data) throws(LoadInputError) {
        let decoder = JSONDecoder()
        struct Version: Decodable { var version: Int }
        let version = (try? decoder.decode(Version.self, from: data))?.version
        if let version, version != Self.version { throw Self.ofVersion(version) }
        guard let report = try? decoder.decode(LoadReport.self, from: data), report.runs.areSound else {
            throw Self.notAReport
        }
        self = report
    }

    static let notAReport = LoadInputError("The file is no report of waymark bench: write one with -o json.")

    static func ofVersion(_ other: Int) -> LoadInputError {
        LoadInputError("The report has version \(other), and this program reads \(version): make it again.")
    }
}

extension [LoadReport.Run] {
    /// Whether the histograms have pairs, and counts whose sum can be computed.
    fileprivate var areSound: Bool {
        var sum: UInt64 = 0
        for pair in lazy.flatMap(\.histogram) {
            guard pair.count >= 2, pair[1] < .max / 4 - sum else { return false }
            sum += pair[1]
        }
        return true
    }

    var latencies: Latencies { reduce(into: Latencies()) { $0.add($1.latencies) } }

    /// The labels of the cases, in the order of their first runs.
    public var labels: [String] { filter(\.isWhole).map(\.label).distinct }
    public func figures(of label: String) -> [LoadFigures] { filter { $0.label == label && $0.isWhole }.map(\.figures) }

    /// Returns the figures of one part of the profile, by its number from 1, in a case's repeated runs.
    public func figures(of label: String, part: Int) -> [LoadFigures] {
        filter { $0.partOf == label && $0.partNumber == part }.map(\.figures)
    }

    public func bareFigures(of label: String) -> [LoadFigures] {
        filter { $0.label == label && $0.isBare }.map(\.figures)
    }
}

/// The machine on which a test ran. Figures of different machines cannot be compared.
public struct MachineInfo: Codable, Hashable, Sendable {
    public var cpu: String
    public var cores: Int
    public var memory: UInt64
    public var kernel: String
    /// The versions of the measured programs and libraries, by name.
    public var versions: [String: String]

    public static func here(versions: [String: String]) -> MachineInfo {
        func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
        let information = ProcessInfo.processInfo
        let cpu = text("/proc/cpuinfo").split(separator: "\n")
            .first { $0.hasPrefix("model name") || $0.hasPrefix("CPU part") }?.split(separator: ":").last
        let kernel = text("/proc/sys/kernel/osrelease").prefix { !$0.isNewline }
        return MachineInfo(
            cpu: cpu.map { String($0.drop { $0 == " " }) } ?? "unknown", cores: information.activeProcessorCount,
            memory: information.physicalMemory, kernel: kernel.isEmpty ? "unknown" : String(kernel),
            versions: versions)
    }
}
