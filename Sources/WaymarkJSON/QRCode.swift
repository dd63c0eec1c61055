// SPDX-License-Identifier: Apache-2.0

/// A QR code (ISO/IEC 18004) of a text as bytes, of version 1 to 15 with error correction of level L.
package struct QRCode: Sendable {
    /// The codewords of error correction in a block, and the number of blocks, by the version, from 1.
    private static let blocks = [
        (7, 1), (10, 1), (15, 1), (20, 1), (26, 1), (18, 2), (20, 2), (24, 2), (30, 2), (18, 4), (20, 4), (24, 4),
        (26, 4), (30, 4), (22, 6),
    ]
    /// The empty margin that readers need, in modules.
    static let margin = 4

    /// The number of modules at each side.
    package let size: Int
    /// Whether each module is dark; nil for one that no pattern has taken yet.
    private var modules: [Bool?]

    /// Makes the smallest code of a text; nil for a text of more than 520 bytes.
    package init?(_ text: String) {
        let text = Array(text.utf8)
        let fitting = Self.blocks.indices.first { index in
            let (correction, count) = Self.blocks[index]
            // The mode and the length come first: 4 bits, and 8 bits or from version 10 on 16.
            return text.count + (index < 9 ? 2 : 3) <= Self.codewords(index + 1) - correction * count
        }
        guard let fitting else { return nil }
        let version = fitting + 1
        size = 17 + 4 * version
        modules = Array(repeating: nil, count: size * size)
        drawPatterns(version)
        drawBits(Self.corrected(Self.data(text, version), version))
    }

    /// Whether the module is dark.
    package subscript(row: Int, column: Int) -> Bool {
        guard 0..<size ~= row, 0..<size ~= column else { return false }
        return modules[row * size + column] ?? false
    }

    /// The code as an SVG path in a square of `size` + 8 units, a run of dark modules as a rectangle.
    package var path: String {
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                let start = column
                while self[row, column] { column += 1 }
                let length = column - start
                if length > 0 { path += "M\(start + Self.margin) \(row + Self.margin)h\(length)v1h-\(length)z" }
                column += 1
            }
        }
        return path
    }

    /// The code as lines of a terminal, two rows of modules in each, dark modules as spaces: terminals are dark.
    package var lines: [String] {
        stride(from: -Self.margin, to: size + Self.margin, by: 2).map { row in
            String(
                (-Self.margin..<size + Self.margin).map { column in
                    switch (self[row, column], self[row + 1, column] || row + 1 >= size + Self.margin) {
                    case (false, false): "█"
                    case (false, true): "▀"
                    case (true, false): "▄"
                    case (true, true): " "
                    }
                })
        }
    }
}

/// The bytes.
extension QRCode {
    /// The number of codewords of a version, data and correction together.
    private static func codewords(_ version: Int) -> Int {
        let places = version / 7 + 2
        let alignment = version == 1 ? 0 : (25 * places - 10) * places - 55
        return ((16 * version + 128) * version + 64 - alignment - (version < 7 ? 0 : 36)) / 8
    }

    private static func data(_ text: [UInt8], _ version: Int) -> [UInt8] {
        let (correction, count) = blocks[version - 1]
        // The mode of bytes is 0100, so everything is shifted by half a byte.
        let length = (version < 10 ? [text.count] : [text.count >> 8, text.count]).map { UInt8(truncatingIfNeeded: $0) }
        var (bytes, high) = ([UInt8](), UInt8(0x40))
        for byte in length + text {
            bytes.append(high | byte >> 4)
            high = byte << 4
        }
        bytes.append(high)
        let most = codewords(version) - correction * count
        for index in 0..<max(0, most - bytes.count) { bytes.append(index % 2 == 0 ? 0xec : 0x11) }
        return bytes
    }

    /// Returns the data in blocks with the correction of each, a codeword of every block in turn.
    private static func corrected(_ data: [UInt8], _ version: Int) -> [UInt8] {
        let (correction, count) = blocks[version - 1]
        // The last blocks have one codeword more.
        let (short, longer) = data.count.quotientAndRemainder(dividingBy: count)
        var (parts, rest) = ([[UInt8]](), data[...])
        for block in 0..<count {
            let length = short + (block < count - longer ? 0 : 1)
            parts.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        let checks = parts.map { remainder($0, correction) }
        let ordered = (0...short).flatMap { index in parts.compactMap { $0.count > index ? $0[index] : nil } }
        return ordered + (0..<correction).flatMap { index in checks.map { $0[index] } }
    }

    /// Returns the remainder of Reed and Solomon.
    private static func remainder(_ data: [UInt8], _ count: Int) -> [UInt8] {
        var divisor = Array(repeating: UInt8(0), count: count - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in divisor.indices {
                divisor[index] = product(divisor[index], root)
                if index + 1 < count { divisor[index] ^= divisor[index + 1] }
            }
            root = product(root, 2)
        }
        var rest = Array(repeating: UInt8(0), count: count)
        for byte in data {
            let factor = byte ^ rest.removeFirst()
            rest.append(0)
            for index in rest.indices { rest[index] ^= product(divisor[index], factor) }
        }
        return rest
    }

    /// Multiplies in the field of 256 elements modulo 0x11d.
    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product = 0
        for bit in (0..<8).reversed() {
            product = product << 1 ^ (product >> 7) * 0x11d
            if right >> UInt8(bit) & 1 == 1 { product ^= Int(left) }
        }
        return UInt8(truncatingIfNeeded: product)
    }
}

/// The modules.
extension QRCode {
    private mutating func fix(_ row: Int, _ column: Int, _ isDark: Bool) {
        guard 0..<size ~= row, 0..<size ~= column else { return }
        modules[row * size + column] = isDark
    }

    private mutating func drawPatterns(_ version: Int) {
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
            for (y, x) in Self.square(4) {
                let ring = max(abs(y), abs(x))
                fix(row + y, column + x, ring != 2 && ring != 4)
            }
        }
        let places = version / 7 + 2
        let step = (version * 8 + places * 3 + 5) / (places * 4 - 4) * 2
        let centres = version == 1 ? [] : [6] + (0..<places - 1).map { size - 7 - $0 * step }.reversed()
        for row in centres {
            // Three corners are taken.
            for column in centres where modules[row * size + column] == nil {
                for (y, x) in Self.square(2) { fix(row + y, column + x, max(abs(y), abs(x)) != 1) }
            }
        }
        for index in 0..<size where modules[6 * size + index] == nil {
            fix(6, index, index % 2 == 0)
            fix(index, 6, index % 2 == 0)
        }
        drawFormat()
        guard version >= 7 else { return }
        var check = version
        for _ in 0..<12 { check = check << 1 ^ (check >> 11) * 0x1f25 }
        for index in 0..<18 {
            let isDark = (version << 12 | check) >> index & 1 == 1
            fix(index / 3, size - 11 + index % 3, isDark)
            fix(size - 11 + index % 3, index / 3, isDark)
        }
    }

    private static func square(_ reach: Int) -> [(Int, Int)] {
        (-reach...reach).flatMap { y in (-reach...reach).map { (y, $0) } }
    }

    /// Draws the level of correction and the number of the mask, twice.
    private mutating func drawFormat() {
        // Level L and mask 3 with their correction.
        let bits = 0x789d
        for index in 0..<15 {
            let isDark = bits >> index & 1 == 1
            // Row and column 6 are taken.
            let near = index < 6 ? index : index < 8 ? index + 1 : 14 - index
            if index < 8 { fix(near, 8, isDark) } else { fix(8, index == 8 ? 7 : near, isDark) }
            if index < 8 { fix(8, size - 1 - index, isDark) } else { fix(size - 15 + index, 8, isDark) }
        }
        fix(size - 8, 8, true)
    }

    /// Draws the bits in columns of two from the right, up and down in turn, with a mask. Readers take any of the eight
    /// masks, and the texts here are as good as random, so none has to be chosen.
    private mutating func drawBits(_ bytes: [UInt8]) {
        var bit = 0
        for right in stride(from: size - 1, through: 1, by: -2).map({ $0 <= 6 ? $0 - 1 : $0 }) {
            let isUpward = (right + 1) & 2 == 0
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for column in [right, right - 1] where modules[row * size + column] == nil {
                    let isSet = bit < bytes.count * 8 && bytes[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
                    modules[row * size + column] = isSet != ((row + column) % 3 == 0)
                    bit += 1
                }
            }
        }
    }
}
