// SPDX-License-Identifier: Apache-2.0

extension TileIndex {
    /// Returns the cells of a tile that contain points, in the order of their numbers.
    public func cells(of tile: MapTile) -> [TileCell] {
        var cells: [TileCell] = []
        let last = Entry(tile.codes.upperBound, .max)
        var (block, offset) = place(of: Entry(tile.codes.lowerBound, 0))
        while block < blocks.count {
            let first = blocks[block][offset]
            guard !(last < first) else { break }
            let end = place(of: Entry(tile.lastCode(ofCellWith: first.code), .max), from: (block, offset))
            var cell = TileCell(tile.cell(of: first.code))
            cell.add(count: count(from: (block, offset), to: end))
            if cell.count <= TileCell.few {
                for _ in 0..<cell.count {
                    cell.list(blocks[block][offset].payload)
                    offset += 1
                    if offset == blocks[block].count { (block, offset) = (block + 1, 0) }
                }
            }
            cells.append(cell)
            (block, offset) = end
        }
        return cells
    }

    /// Calls `body` with the points of a tile from a position on, for at most `limit` points.
    ///
    /// - Parameter position: the position to begin at; nil for the first point.
    /// - Returns: the position to continue from; nil after the last point of the tile.
    public func forward(
        in tile: MapTile, from position: TilePosition?, limit: Int, _ body: (MercatorCode, UInt32) -> Void
    ) -> TilePosition? {
        let last = Entry(tile.codes.upperBound, .max)
        var (block, offset) = place(of: position?.entry ?? Entry(tile.codes.lowerBound, 0))
        var rest = limit
        while block < blocks.count {
            for entry in blocks[block][offset...] {
                guard !(last < entry) else { return nil }
                guard rest > 0 else { return TilePosition(entry: entry) }
                body(entry.code, entry.payload)
                rest -= 1
            }
            (block, offset) = (block + 1, 0)
        }
        return nil
    }

    /// Returns the location of the first entry that is not below this entry, or block `blocks.count` after the last.
    private func place(of entry: Entry) -> (block: Int, offset: Int) {
        let block = block(of: entry)
        let offset = Self.offset(of: entry, in: blocks[block])
        return offset < blocks[block].count ? (block, offset) : (block + 1, 0)
    }

    /// Returns the location of the first entry that is not below this entry, which must not be below the entry at
    /// `start` and is probably near it.
    private func place(of entry: Entry, from start: (block: Int, offset: Int)) -> (block: Int, offset: Int) {
        guard start.block < blocks.count else { return start }
        // The same block is tried first: most cells of a sparse tile have one point, and most other cells end in the
        // block where they begin.
        guard start.block + 1 < blocks.count, !(entry < starts[start.block + 1]) else {
            var offset = start.offset
            if offset < blocks[start.block].count, blocks[start.block][offset] < entry { offset += 1 }
            if offset < blocks[start.block].count, blocks[start.block][offset] < entry {
                offset = Self.offset(of: entry, in: blocks[start.block], from: offset)
            }
            return offset < blocks[start.block].count ? (start.block, offset) : (start.block + 1, 0)
        }
        return place(of: entry)
    }

    private func count(from start: (block: Int, offset: Int), to end: (block: Int, offset: Int)) -> Int {
        guard start.block < end.block else { return end.offset - start.offset }
        return blocks[start.block..<end.block].reduce(end.offset - start.offset) { $0 + $1.count }
    }
}

/// The position where the next call continues with a tile's points. It stays valid when points are added or removed.
public struct TilePosition: Sendable {
    let entry: TileIndex.Entry

    /// Whether a point comes before this position, so that it has been visited.
    public func isAfter(_ code: MercatorCode, _ payload: UInt32) -> Bool { TileIndex.Entry(code, payload) < entry }
}

/// A cell of a tile: the number of its points, and the points themselves if they are few.
public struct TileCell: Sendable {
    /// The maximum number of points in a cell whose points are listed.
    public static let few = 4

    /// The cell's number, 0 to 4,095, in Morton order.
    public let number: Int
    public private(set) var count = 0
    private var listed = SIMD4<UInt32>()
    private var listedCount = 0

    public init(_ number: Int) { self.number = number }

    /// The payloads of the cell's points; nil if some of them are not listed.
    public var payloads: [UInt32]? { listedCount == count ? (0..<count).map { listed[$0] } : nil }

    mutating func add(count: Int) { self.count += count }

    mutating func list(_ payload: UInt32) {
        guard listedCount < Self.few else { return }
        listed[listedCount] = payload
        listedCount += 1
    }

    public mutating func add(_ payload: UInt32) {
        // Once a point is missing in the list, the list stays incomplete until the cell is empty.
        if listedCount == count { list(payload) }
        count += 1
    }

    /// Removes a point that was added before.
    public mutating func remove(_ payload: UInt32) {
        count -= 1
        guard let place = (0..<listedCount).first(where: { listed[$0] == payload }) else { return }
        listedCount -= 1
        listed[place] = listed[listedCount]
    }
}
