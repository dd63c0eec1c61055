// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import WaymarkJSON

/// Reads a code without errors, after the standard and not after the encoder.
private struct QRReader {
    /// The data codewords of each block, by the version, at level L.
    private static let blocks: [[Int]] = [
        [19], [34], [55], [80], [108], [68, 68], [78, 78], [97, 97], [116, 116], [68, 68, 69, 69], [81, 81, 81, 81],
        [92, 92, 93, 93], [107, 107, 107, 107], [115, 115, 115, 116], [87, 87, 87, 87, 87, 88],
    ]
    private static let corrections = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22]
    /// The centres of the alignment patterns.
    private static let centres: [[Int]] = [
        [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
        [6, 30, 54], [6, 32, 58], [6, 34, 62], [6, 26, 46, 66], [6, 26, 48, 70],
    ]

    let code: QRCode
    private var version: Int { (code.size - 17) / 4 }

    init(_ code: QRCode) { self.code = code }

    /// The text, and whether the correction of each block fits its data.
    func read() -> (text: String, isWhole: Bool) {
        let blocks = Self.blocks[version - 1], correction = Self.corrections[version - 1]
        var bytes = bytes(blocks.reduce(0) { $0 + $1 + correction })[...]
        var parts = blocks.map { _ in [UInt8]() }
        for index in 0..<(blocks.max() ?? 0) {
            for block in blocks.indices where index < blocks[block] { parts[block].append(bytes.removeFirst()) }
        }
        let data = parts.flatMap(\.self)
        for _ in 0..<correction {
            for block in blocks.indices { parts[block].append(bytes.removeFirst()) }
        }
        let bits = data.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        func number(_ from: Int, _ count: Int) -> Int { bits[from..<from + count].reduce(0) { $0 << 1 | Int($1) } }
        let lengthBits = version < 10 ? 8 : 16
        let length = number(4, lengthBits)
        let text = (0..<length).map { UInt8(number(4 + lengthBits + 8 * $0, 8)) }
        return (
            String(decoding: text, as: UTF8.self),
            number(0, 4) == 4 && parts.allSatisfy { isWhole($0, correction) }
        )
    }

    /// Whether the polynomial of a block is 0 at the first powers of 2.
    private func isWhole(_ block: [UInt8], _ correction: Int) -> Bool {
        var root = 1
        for _ in 0..<correction {
            if block.reduce(0, { product($0, root) ^ Int($1) }) != 0 { return false }
            root = product(root, 2)
        }
        return true
    }

    private func product(_ left: Int, _ right: Int) -> Int {
        var (sum, left, right) = (0, left, right)
        while right > 0 {
            if right & 1 == 1 { sum ^= left }
            left <<= 1
            if left > 255 { left ^= 0x11d }
            right >>= 1
        }
        return sum
    }

    private func bytes(_ count: Int) -> [UInt8] {
        var bits: [UInt8] = []
        var (column, isUpward) = (code.size - 1, true)
        while column > 0 {
            if column == 6 { column -= 1 }
            for step in 0..<code.size {
                let row = isUpward ? code.size - 1 - step : step
                for column in [column, column - 1] where !isPattern(row, column) {
                    bits.append(code[row, column] != ((row + column) % 3 == 0) ? 1 : 0)
                }
            }
            (column, isUpward) = (column - 2, !isUpward)
        }
        return (0..<count).map { byte in bits[8 * byte..<8 * byte + 8].reduce(0) { $0 << 1 | $1 } }
    }

    private func isPattern(_ row: Int, _ column: Int) -> Bool {
        let size = code.size
        if row == 6 || column == 6 { return true }
        if row < 9 && (column < 9 || column >= size - 8) || row >= size - 8 && column < 9 { return true }
        if version >= 7, row < 6 && column >= size - 11 || column < 6 && row >= size - 11 { return true }
        let centres = Self.centres[version - 1]
        return centres.contains { y in
            centres.contains { x in
                let isCorner =
                    (y == 6 || y == size - 7) && (x == 6 || x == size - 7) && !(y == size - 7 && x == size - 7)
                return !isCorner && abs(row - y) < 3 && abs(column - x) < 3
            }
        }
    }
}

@Suite("QR codes", .computing)
struct QRCodeTests {
    @Test("a code of each version has its text, and correction that fits")
    func texts() throws {
        let most = [17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520]
        for (index, most) in most.enumerated() {
            for length in [most - 1, most] {
                let text = String((0..<length).map { Character(Unicode.Scalar(UInt8(33 + $0 * 7 % 90))) })
                let code = try #require(QRCode(text))
                #expect(code.size == 21 + 4 * index)
                let (read, isWhole) = QRReader(code).read()
                #expect(read == text && isWhole, "\(length)")
            }
        }
        #expect(QRCode(String(repeating: "a", count: 521)) == nil)
    }

    /// The mask of the standard's table for level L and mask 3.
    @Test("the format says level L and mask 3, twice, and the first rows are the standard's")
    func format() throws {
        let code = try #require(QRCode("a"))
        let bits = Array("111100010011101")
        let first = (0..<6).map { (8, $0) } + [(8, 7), (8, 8), (7, 8)] + (0..<6).map { (5 - $0, 8) }
        let second = (0..<7).map { (code.size - 1 - $0, 8) } + (0..<8).map { (8, code.size - 8 + $0) }
        for places in [first, second] {
            #expect(places.map { code[$0.0, $0.1] ? "1" : "0" } == bits)
        }
        #expect(code[code.size - 8, 8])
    }

    @Test("the picture has each dark module once, and the terminal's lines are as wide as high")
    func pictures() throws {
        let code = try #require(QRCode("owntracks:///config"))
        let runs = code.path.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/)
        #expect(runs.map(\.output.0).joined() == code.path)
        var dark: Set<[Int]> = []
        for run in runs {
            let (column, row) = (Int(run.output.1) ?? 0, Int(run.output.2) ?? 0)
            for step in 0..<(Int(run.output.3) ?? 0) { #expect(dark.insert([row - 4, column + step - 4]).inserted) }
        }
        for row in 0..<code.size {
            for column in 0..<code.size { #expect(dark.contains([row, column]) == code[row, column]) }
        }
        #expect(code.lines.count == (code.size + 9) / 2)
        #expect(code.lines.allSatisfy { $0.count == code.size + 8 })
        // The number of rows is odd, so the last line has only one.
        #expect(code.lines.map { $0.prefix(4) } == code.lines.dropLast().map { _ in "████" } + ["▀▀▀▀"])
    }
}
