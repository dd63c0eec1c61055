// SPDX-License-Identifier: Apache-2.0

/// The finer land is one file of many parts, so that a page loads what it shows. MapPage's article has the byte map.
enum LandParts {
    static let count = 72

    /// The part that a name like "land/10m/17.bin" has; nil if there is none.
    static func asset(_ name: String, file: (String) -> [UInt8]?) -> PageAsset? {
        let pieces = name.split(separator: "/", omittingEmptySubsequences: false)
        guard pieces.count == 3, pieces[0] == "land", pieces[2].hasSuffix(".bin"),
            let number = Int(pieces[2].dropLast(4)), let bytes = file("land/\(pieces[1]).bin"),
            let part = part(number, of: bytes)
        else { return nil }
        return PageAsset(name: name, body: part)
    }

    static func part(_ number: Int, of bytes: [UInt8]) -> [UInt8]? {
        guard bytes.first == 2, bytes.count > 1 + 4 * count, (0..<count).contains(number) else { return nil }
        let lengths = (0..<count).map { index in
            (0..<4).reduce(0) { $0 | Int(bytes[1 + 4 * index + $1]) << (8 * $1) }
        }
        let start = 1 + 4 * count + lengths[..<number].reduce(0, +)
        guard start + lengths[number] <= bytes.count else { return nil }
        return Array(bytes[start..<start + lengths[number]])
    }
}
