// SPDX-License-Identifier: Apache-2.0

/// All points in the order of their places on the Web Mercator map. In this order the points of a map tile, and of each
/// cell of a tile, are adjacent. The index takes 12 to 14 bytes for each point.
///
/// The points are in blocks that together cover the map without a gap. Each block has a stamp: the number of the latest
/// change in it, so that an unchanged tile can be recognized. The time to count a tile's cells depends on the number of
/// its cells and blocks, not of its points. The index is a value with one owner.
public struct TileIndex: Sendable {
    /// A point: its place on the map, then its payload. Twelve bytes; with one 64-bit number it would be padded to
    /// sixteen.
    struct Entry: Sendable {
        let high, low, payload: UInt32

        @inline(__always)
        init(_ code: MercatorCode, _ payload: UInt32) {
            high = UInt32(truncatingIfNeeded: code.bits >> 32)
            low = UInt32(truncatingIfNeeded: code.bits)
            self.payload = payload
        }

        @inline(__always)
        var code: MercatorCode { MercatorCode(bits: UInt64(high) << 32 | UInt64(low)) }

        @inline(__always)
        static func < (left: Self, right: Self) -> Bool {
            let (here, there) = (left.code.bits, right.code.bits)
            return here != there ? here < there : left.payload < right.payload
        }
    }

    /// The maximum number of points in a block.
    private static let most = 256

    /// The blocks, at least one. A block is empty only if it is the only one.
    private(set) var blocks: [[Entry]] = [[]]
    /// The lowest entry that each block may contain. The first block may contain the lowest entry of all.
    private(set) var starts = [Entry(MercatorCode(bits: 0), 0)]
    private(set) var stamps: [UInt64] = [0]
    public private(set) var count = 0

    public init() {}

    /// Inserts a point that is not in the index.
    public mutating func insert(_ payload: UInt32, at code: MercatorCode) {
        let entry = Entry(code, payload)
        let block = block(of: entry)
        makeRoom(in: block)
        blocks[block].insert(entry, at: Self.offset(of: entry, in: blocks[block]))
        count += 1
        if blocks[block].count > Self.most { split(block) }
    }

    /// Removes a point. Returns whether the index held it at this place.
    @discardableResult
    public mutating func remove(_ payload: UInt32, at code: MercatorCode) -> Bool {
        let entry = Entry(code, payload)
        let block = block(of: entry)
        let offset = Self.offset(of: entry, in: blocks[block])
        guard offset < blocks[block].count, !(entry < blocks[block][offset]) else { return false }
        blocks[block].remove(at: offset)
        count -= 1
        guard blocks[block].count < Self.most / 4 else { return true }
        join(block)
        if block > 0 { join(block - 1) }
        return true
    }

    /// Records that a point at this place was added, removed or changed.
    ///
    /// - Parameter stamp: the number of the change, higher than the numbers of all earlier changes.
    public mutating func stamp(_ code: MercatorCode, _ payload: UInt32, with stamp: UInt64) {
        let block = block(of: Entry(code, payload))
        stamps[block] = max(stamps[block], stamp)
    }

    /// Records that every point may have changed.
    public mutating func stampAll(with stamp: UInt64) {
        for block in stamps.indices { stamps[block] = max(stamps[block], stamp) }
    }

    /// Returns the tile's stamp, which is higher after a change in the tile than before. It may also grow without one.
    public func stamp(of tile: MapTile) -> UInt64 {
        let codes = tile.codes
        let first = block(of: Entry(codes.lowerBound, 0))
        let last = block(of: Entry(codes.upperBound, .max))
        return stamps[first...last].reduce(0, max)
    }

    // MARK: Blocks

    private mutating func split(_ block: Int) {
        let half = blocks[block].count / 2
        let rest = Array(blocks[block][half...])
        blocks[block] = Array(blocks[block][..<half])
        blocks.insert(rest, at: block + 1)
        starts.insert(rest[0], at: block + 1)
        stamps.insert(stamps[block], at: block + 1)
    }

    /// Moves the next block's points into this block if they fit well, and always if one of the two blocks is empty.
    private mutating func join(_ block: Int) {
        guard block + 1 < blocks.count else { return }
        let both = blocks[block].count + blocks[block + 1].count
        guard both <= Self.most / 2 || blocks[block].isEmpty || blocks[block + 1].isEmpty else { return }
        blocks[block] = blocks[block] + blocks[block + 1]
        stamps[block] = max(stamps[block], stamps[block + 1])
        blocks.remove(at: block + 1)
        starts.remove(at: block + 1)
        stamps.remove(at: block + 1)
    }

    /// Reserves capacity in a block, because an array that grows by itself doubles its capacity.
    private mutating func makeRoom(in block: Int) {
        let count = blocks[block].count
        if blocks[block].capacity == count { blocks[block].reserveCapacity(min(count + 16, Self.most + 1)) }
    }

    /// Returns the index of the block that contains an entry, or would contain it.
    func block(of entry: Entry) -> Int {
        starts.withUnsafeBufferPointer { starts in (1..<starts.count).partition { !(entry < starts[$0]) } - 1 }
    }

    /// Returns the index, within a block, of the first entry that is not below this entry.
    static func offset(of entry: Entry, in block: [Entry], from start: Int = 0) -> Int {
        block.withUnsafeBufferPointer { block in (start..<block.count).partition { block[$0] < entry } }
    }
}
