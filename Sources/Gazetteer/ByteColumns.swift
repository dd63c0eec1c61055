// SPDX-License-Identifier: Apache-2.0

/// Whole numbers as columns of bytes, the highest bytes first. Equal high bytes are adjacent and compress well.
struct ByteColumns {
    let start: Int
    let count: Int
    let width: Int

    var end: Int { start + count * width }

    /// Returns the number in a row. The caller ensures that the row is below `count`.
    @inline(__always)
    func value(_ row: Int, in bytes: [UInt8]) -> Int {
        var value = 0
        for column in 0..<width { value = value << 8 | Int(bytes[start + column * count + row]) }
        return value
    }
}
