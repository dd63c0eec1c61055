// SPDX-License-Identifier: Apache-2.0

public import Geodesy
public import Landmarks

/// Writes the contents of a map tile, cell by cell. The format is described in `WaymarkProtocol.docc/Tiles.md`.
public struct TileWriter {
    /// The version of the format, which is the first byte.
    static let form: UInt8 = 1
    /// The maximum size of a tile in bytes.
    public static let mostBytes = 65_536
    static let pointBytes = 25
    /// The bit in the kind byte of a point that marks a landmark from a source.
    static let sourceBit: UInt8 = 0x80
    static let mostKinds = 127
    private static let mostKindBytes = 7_168
    /// The number of bytes reserved for all that precedes the cells: the version, the kinds and both counts.
    private static let headBytes = 8_192

    private var kinds = WireWriter()
    private var numbers: [String: UInt8] = [:]
    private var body: WireWriter
    private var last = -1
    private let count: Int

    /// - Parameter cells: the number of cells that will be written.
    public init(cells: Int) {
        count = cells
        body = WireWriter(expecting: 4 * cells)
    }

    /// Returns the maximum number of landmarks for which a cell lists its points. It is chosen so that the points of
    /// all cells with at most so many landmarks fit into the tile; 0 if not even cells with one landmark can list it.
    ///
    /// - Parameter cells: the cells of the tile, in the order of their numbers.
    public static func listedCount(_ cells: [TileCell]) -> Int {
        var (last, bytes) = (-1, headBytes)
        var points = [Int](repeating: 0, count: TileCell.few + 1)
        for cell in cells {
            bytes += WireBuffer.size(cell.number - last - 1) + WireBuffer.size(cell.count << 1)
            last = cell.number
            if cell.count <= TileCell.few { points[cell.count] += cell.count }
        }
        return (1...TileCell.few).prefix { count in
            bytes += pointBytes * points[count]
            return bytes <= mostBytes
        }.last ?? 0
    }

    /// Begins a cell. If `isListed`, all its points must follow.
    public mutating func cell(_ number: Int, count: Int, isListed: Bool) {
        body.put(varint: UInt64(number - last - 1))
        body.put(varint: UInt64(count) << 1 | (isListed ? 1 : 0))
        last = number
    }

    public mutating func point(_ id: Landmark.ID, at coordinate: Coordinate, kind: String, isFromSource: Bool) {
        withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { body.put($0) }
        body.put(self.number(of: kind) | (isFromSource ? Self.sourceBit : 0))
        body.put(degrees: coordinate.latitude)
        body.put(degrees: coordinate.longitude)
    }

    /// Returns the number that stands for a kind in this tile; 0 if there is no room for another kind.
    private mutating func number(of kind: String) -> UInt8 {
        if let known = numbers[kind] { return known }
        let size = kind.utf8.count
        guard numbers.count < Self.mostKinds, kinds.bytes.count + size + WireBuffer.size(size) <= Self.mostKindBytes
        else { return 0 }
        kinds.put(varint: UInt64(size))
        kinds.bytes += kind.utf8
        let number = UInt8(numbers.count + 1)
        numbers[kind] = number
        return number
    }

    public var bytes: [UInt8] {
        var whole = WireWriter(expecting: kinds.bytes.count + body.bytes.count + 8)
        whole.put(Self.form)
        whole.put(varint: UInt64(numbers.count))
        whole.bytes += kinds.bytes
        whole.put(varint: UInt64(count))
        whole.bytes += body.bytes
        return whole.bytes
    }
}

extension WireWriter {
    fileprivate mutating func put(degrees: Double) {
        withUnsafeBytes(of: Int32((degrees * TilePoint.perDegree).rounded()).littleEndian) { put($0) }
    }
}
