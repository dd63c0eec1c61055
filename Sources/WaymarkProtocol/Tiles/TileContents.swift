// SPDX-License-Identifier: Apache-2.0

public import Geodesy
public import Landmarks

/// The landmarks in a map tile, decoded from the bytes of a ``TileWriter``.
public struct TileContents: Hashable, Sendable {
    public struct Cell: Hashable, Sendable {
        /// The cell's number, 0 to 4,095. Its even bits are the bits of the column, its odd bits those of the row.
        public let number: Int
        /// The number of landmarks in the cell; at least 1.
        public let count: Int
        /// All landmarks of the cell, or empty if they are too many to be listed.
        public let points: [TilePoint]

        /// The column, 0 to 63, counted from the west.
        public var column: Int { Self.gather(number) }
        /// The row, 0 to 63, counted from the north.
        public var row: Int { Self.gather(number >> 1) }

        private static func gather(_ bits: Int) -> Int {
            (0..<6).reduce(0) { $0 | (bits >> (2 * $1) & 1) << $1 }
        }
    }

    /// The cells that contain landmarks, in the order of their numbers.
    public let cells: [Cell]

    /// Decodes the contents of a tile. Nil if the bytes are something else.
    public init?(encoded bytes: [UInt8]) {
        guard let cells = bytes.withUnsafeBytes({ Self.cells($0) }) else { return nil }
        self.cells = cells
    }

    private static func cells(_ bytes: UnsafeRawBufferPointer) -> [Cell]? {
        guard bytes.count <= TileWriter.mostBytes, bytes.first == TileWriter.form else { return nil }
        var rest = WireFields(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
        func number(_ most: Int) -> Int? {
            guard let value = rest.varint(), value <= UInt64(most) else { return nil }
            return Int(value)
        }
        var kinds: [String?] = [nil]
        guard let kindCount = number(TileWriter.mostKinds) else { return nil }
        for _ in 0..<kindCount {
            guard let count = number(bytes.count), let text = rest.take(count), let kind = WireText.string(text) else {
                return nil
            }
            kinds.append(kind)
        }
        guard let cellCount = number(MapTile.cells) else { return nil }
        var cells: [Cell] = []
        cells.reserveCapacity(cellCount)
        var next = 0
        for _ in 0..<cellCount {
            guard let skipped = number(MapTile.cells), next + skipped < MapTile.cells,
                let count = number(Int(UInt32.max) << 1 | 1), count > 1
            else { return nil }
            var points: [TilePoint] = []
            if count & 1 == 1 {
                guard count >> 1 <= rest.rest.count / TileWriter.pointBytes else { return nil }
                for _ in 0..<count >> 1 {
                    guard let point = rest.take(TileWriter.pointBytes).flatMap({ TilePoint($0, kinds) }) else {
                        return nil
                    }
                    points.append(point)
                }
            }
            cells.append(Cell(number: next + skipped, count: count >> 1, points: points))
            next += skipped + 1
        }
        return rest.rest.isEmpty ? cells : nil
    }
}

/// A landmark in a map tile.
public struct TilePoint: Hashable, Sendable {
    static let perDegree = 1e7

    public let id: Landmark.ID
    /// The coordinate, which differs from the landmark's own by up to 6 mm.
    public let coordinate: Coordinate
    /// The landmark's kind. Empty if the landmark has none, nil if the tile had no room for it.
    public let kind: String?
    /// Whether the landmark came from a source and not from a person.
    public let isFromSource: Bool

    /// - Parameter bytes: at least ``TileWriter/pointBytes`` bytes.
    fileprivate init?(_ bytes: UnsafeRawBufferPointer, _ kinds: [String?]) {
        func degrees(_ offset: Int) -> Double {
            Double(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))) / Self.perDegree
        }
        let kind = Int(bytes[16] & ~TileWriter.sourceBit)
        let (latitude, longitude) = (degrees(17), degrees(21))
        guard kind < kinds.count, abs(longitude) <= 180,
            let coordinate = try? Coordinate(latitude: latitude, longitude: longitude),
            let id = UUIDv7(bytes: bytes.prefix(16))
        else { return nil }
        self.id = id
        self.coordinate = coordinate
        self.kind = kinds[kind]
        isFromSource = bytes[16] & TileWriter.sourceBit != 0
    }
}
