// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The times and sizes of the messages of a recorded run, which an open loop repeats.
///
/// A report has only their number, their time and their bytes, because a recording may have millions of messages.
public struct LoadRecording: Codable, Hashable, Sendable {
    /// The maximum size of a file, and the maximum number of messages in it.
    public static let mostBytes = 1 << 30
    public static let mostMessages = 10_000_000
    /// The maximum size of a recorded message in bytes.
    public static let largest = 16 << 20
    private static let longestLine = 100
    /// The first line of a file.
    public static let header = "time_s,bytes\n"

    /// The times in nanoseconds since the first message, in ascending order. Empty in a recording read from a report.
    public private(set) var times: [UInt64] = []
    /// The size of each message in bytes.
    public private(set) var sizes: [Int] = []
    public let count: Int
    /// The time of the recording in seconds, including one mean interval after the last message.
    public let seconds: Double
    public let bytes: UInt64

    enum CodingKeys: String, CodingKey { case count, seconds, bytes }

    /// Reads lines of a time in seconds, which may begin anywhere, and a size in bytes: `12.000345,64`. The first line
    /// may have names instead.
    ///
    /// - Throws: an error that names the line that cannot be read.
    public init(csv: Data) throws(LoadInputError) {
        var (times, sizes): ([UInt64], [Int]) = ([], [])
        var (start, line, first) = (csv.startIndex, 0, 0.0)
        while start < csv.endIndex {
            let end = csv[start...].firstIndex(of: UInt8(ascii: "\n")) ?? csv.endIndex
            let text = String(decoding: csv[start..<end].prefix(Self.longestLine), as: UTF8.self)
            let words = text.split(separator: ",", omittingEmptySubsequences: false)
            (start, line) = (end < csv.endIndex ? end + 1 : end, line + 1)
            let read = words.first.flatMap { Double($0) }
            if line == 1, read == nil { continue }
            if text.allSatisfy(\.isWhitespace) { continue }
            guard let time = read, (0...1e10).contains(time), words.count == 2, text.utf8.count < Self.longestLine,
                let size = Int(words[1].filter { !$0.isWhitespace }), (0...Self.largest).contains(size)
            else { throw Self.wrong(line, "is no time in seconds and size up to 16 MiB, such as 12.000345,64.") }
            if times.isEmpty { first = time }
            let passed = UInt64(max(0, ((time - first) * 1e9).rounded()))
            guard time >= first, passed >= times.last ?? 0 else {
                throw Self.wrong(line, "is earlier than the line before: sort by time.")
            }
            guard time - first <= LoadProfile.longest, times.count < Self.mostMessages else {
                throw Self.wrong(line, "is too many: a recording has at most 24 h and 10 million messages.")
            }
            times.append(passed)
            sizes.append(size)
        }
        guard let end = times.last else { throw Self.wrong(line, "is the last, and none was a message.") }
        let last = Double(end) / 1e9
        self.init(times, sizes, seconds: last + (last > 0 ? last / Double(times.count - 1) : 0.001))
    }

    private static func wrong(_ line: Int, _ problem: String) -> LoadInputError {
        LoadInputError("line \(line) \(problem)")
    }

    private init(_ times: [UInt64], _ sizes: [Int], seconds: Double) {
        (self.times, self.sizes, self.seconds, count) = (times, sizes, seconds, times.count)
        bytes = sizes.reduce(0) { $0 + UInt64($1) }
    }

    /// Formats a line of a file.
    ///
    /// - Parameter time: the time in nanoseconds since the first message.
    public static func line(_ time: UInt64, bytes: Int) -> String {
        let part = String(time % 1_000_000_000)
        return "\(time / 1_000_000_000)." + String(repeating: "0", count: 9 - part.count) + "\(part),\(bytes)\n"
    }

    /// Returns the sizes of a run's messages by their numbers, the first of which are sent in the warm-up.
    public func sizes(warmUp seconds: Double) -> [Int] {
        let warm = Int(Pace.recording(self).operations(warmUp: seconds)) % max(1, count)
        return Array(sizes.suffix(warm)) + sizes.dropLast(warm)
    }

    /// Returns the number of messages before a time in seconds.
    func operations(until seconds: Double) -> Double {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if Double(times[middle]) / 1e9 < seconds { low = middle + 1 } else { high = middle }
        }
        return Double(low)
    }

    /// Returns the time in seconds of the message with this index; infinite if there is none.
    func time(of operations: Double) -> Double {
        guard operations >= 0, operations < Double(times.count) else { return operations < 0 ? 0 : .infinity }
        return Double(times[Int(operations)]) / 1e9
    }

    /// Returns every `count`-th message.
    func divided(_ part: Int, of count: Int) -> LoadRecording {
        let places = stride(from: part, to: times.count, by: max(1, count))
        return LoadRecording(places.map { times[$0] }, places.map { sizes[$0] }, seconds: seconds)
    }
}
