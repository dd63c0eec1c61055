// SPDX-License-Identifier: Apache-2.0

/// The files with the detailed land of the map, in parts. All parts of a set are stored in one file, and the page loads
/// the parts that it shows. MapPage's article describes the bytes of the file.
enum LandParts {
    /// Returns the part with a name such as "land/10m/17.bin"; nil if there is none.
    static func asset(_ name: String, file: (String) -> [UInt8]?) -> PageAsset? {
        let pieces = name.split(separator: "/", omittingEmptySubsequences: false)
        guard pieces.count == 3, pieces[0] == "land", pieces[2].hasSuffix(".bin"),
            let number = Int(pieces[2].dropLast(4)), let bytes = file("land/\(pieces[1]).bin"),
            let part = part(number, of: bytes)
        else { return nil }
        return PageAsset(name: name, body: part)
    }

    static func part(_ number: Int, of bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 2, bytes[0] == 2 else { return nil }
        let wide = Int(bytes[1])
        guard wide > 0, 180 % wide == 0 else { return nil }
        let count = (180 / wide) * (360 / wide)
        var start = 2 + 4 * count
        guard (0..<count).contains(number), start <= bytes.count else { return nil }
        func length(_ index: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[2 + 4 * index + $1]) << (8 * $1) } }
        for index in 0..<number { start += length(index) }
        let end = start + length(number)
        guard end <= bytes.count else { return nil }
        return Array(bytes[start..<end])
    }
}
