// SPDX-License-Identifier: Apache-2.0

/// Reads the lines of a recording. The bytes come from a file of anybody.
struct RecordingReader {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0

    private init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    typealias Rows = (times: [UInt64], sizes: [Int])

    /// Returns the times in nanoseconds since the first message, and the sizes.
    static func read(_ bytes: UnsafeRawBufferPointer) -> Result<Rows, LoadRecordingError> {
        var reader = RecordingReader(bytes)
        return reader.rows()
    }

    private mutating func rows() -> Result<Rows, LoadRecordingError> {
        var (times, sizes): ([UInt64], [Int]) = ([], [])
        var (line, first): (Int, UInt64) = (0, 0)
        while place < bytes.count {
            line += 1
            // The first line may have the names of the columns.
            if line == 1, !isDigit { skipLine() }
            if endsLine() { continue }
            guard let row = row() else { return .failure(.notARow(line)) }
            if times.isEmpty { first = row.time }
            guard row.time >= first, row.time - first >= times.last ?? 0 else { return .failure(.backwards(line)) }
            guard Double(row.time - first) <= LoadProfile.longest * 1e9 else { return .failure(.tooLong) }
            guard times.count < LoadRecording.mostMessages else { return .failure(.tooMany) }
            times.append(row.time - first)
            sizes.append(row.size)
        }
        return times.isEmpty ? .failure(.empty) : .success((times, sizes))
    }

    private mutating func row() -> (time: UInt64, size: Int)? {
        // Ten digits of seconds in nanoseconds fit into 64 bits.
        guard let whole = number(digits: 10) else { return nil }
        let part = take(".") ? fraction() : 0
        guard take(","), let size = number(digits: 8), size <= UInt64(LoadRecording.largest), endsLine() else {
            return nil
        }
        return (whole * 1_000_000_000 + part, Int(size))
    }

    private var isDigit: Bool { place < bytes.count && (48...57).contains(bytes[place]) }

    /// Reads at most so many digits; nil if there are more, or none.
    private mutating func number(digits most: Int) -> UInt64? {
        var (value, start): (UInt64, Int) = (0, place)
        while isDigit {
            guard place - start < most else { return nil }
            value = value * 10 + UInt64(bytes[place] - 48)
            place += 1
        }
        return place > start ? value : nil
    }

    /// Reads the digits after the point as nanoseconds. Ignores digits below a nanosecond.
    private mutating func fraction() -> UInt64 {
        var (value, unit): (UInt64, UInt64) = (0, 100_000_000)
        while isDigit {
            value += UInt64(bytes[place] - 48) * unit
            unit /= 10
            place += 1
        }
        return value
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard place < bytes.count, UInt32(bytes[place]) == character.value else { return false }
        place += 1
        return true
    }

    /// - Returns: whether the line, or the file, ends here.
    private mutating func endsLine() -> Bool {
        _ = take("\r")
        return take("\n") || place == bytes.count
    }

    private mutating func skipLine() {
        while place < bytes.count, bytes[place] != 0x0a { place += 1 }
    }
}
