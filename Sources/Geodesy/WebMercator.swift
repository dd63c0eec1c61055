// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The square map of the web: Mercator on a sphere, as every map tile uses it.
public enum WebMercator {
    /// The latitude of the map's upper edge in degrees: atan(sinh π). No tile contains places nearer to a pole.
    public static let maxLatitude = 85.051_128_779_806_59

    /// The position of a coordinate on the map; nil beyond ``maxLatitude``.
    ///
    /// The meridians 180 and -180 are the same, and lie at the map's left edge.
    @inline(__always)
    public static func code(of coordinate: Coordinate) -> MercatorCode? {
        guard abs(coordinate.latitude) <= maxLatitude else { return nil }
        let side = 0x1p32
        let column = ((coordinate.longitude + 180) * (side / 360)).rounded(.down)
        let north = atanh(sin(coordinate.latitude * (.pi / 180)))
        let row = ((0.5 - north / (2 * .pi)) * side).rounded(.down)
        return MercatorCode(
            // Rounding can move a place just west of 180 onto that meridian.
            column: coordinate.longitude < 180 ? UInt32(min(column, side - 1)) : 0,
            row: UInt32(min(max(row, 0), side - 1)))
    }
}

/// A place on the Web Mercator map as one number: the bits of its column (even bits) and row (odd bits), each counted
/// in 1/2³² of the map's side, which is 9 mm at the equator. In this order (Morton's) every tile is one range.
public struct MercatorCode: Hashable, Comparable, Sendable {
    public let bits: UInt64

    @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    /// - Parameters:
    ///   - column: the column, counted from the left edge.
    ///   - row: the row, counted from the upper edge.
    @inline(__always)
    public init(column: UInt32, row: UInt32) { bits = Self.spread(column) | Self.spread(row) << 1 }

    public static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }

    /// The even bits of a number.
    static func gather(_ number: UInt64) -> UInt32 {
        var bits = number & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0f0f_0f0f_0f0f_0f0f
        bits = (bits | bits >> 4) & 0x00ff_00ff_00ff_00ff
        bits = (bits | bits >> 8) & 0x0000_ffff_0000_ffff
        return UInt32(truncatingIfNeeded: bits | bits >> 16)
    }

    /// Puts a zero before each bit.
    @inline(__always)
    private static func spread(_ number: UInt32) -> UInt64 {
        var bits = UInt64(number)
        bits = (bits | bits << 16) & 0x0000_ffff_0000_ffff
        bits = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff
        bits = (bits | bits << 4) & 0x0f0f_0f0f_0f0f_0f0f
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }
}

/// A tile of the Web Mercator map, numbered as usual: zoom z has 2^z columns from the 180th meridian eastwards, and as
/// many rows from the north.
public struct MapTile: Hashable, Sendable {
    public static let maxZoom: UInt32 = 20
    /// The zoom levels from a tile to its cells, of which it has 64 columns and rows.
    static let cellZoom: UInt32 = 6
    /// The number of cells of a tile.
    public static let cells = 1 << (2 * Int(cellZoom))

    public let zoom: UInt32
    public let column: UInt32
    public let row: UInt32

    /// Nil if there is no such tile.
    public init?(zoom: UInt32, column: UInt32, row: UInt32) {
        guard zoom <= Self.maxZoom, column >> zoom == 0, row >> zoom == 0 else { return nil }
        (self.zoom, self.column, self.row) = (zoom, column, row)
    }

    /// The tile of a zoom, up to ``maxZoom``, that contains a place.
    public init(zoom: UInt32, containing code: MercatorCode) {
        self.zoom = min(zoom, Self.maxZoom)
        let shift = 32 - self.zoom
        column = MercatorCode.gather(code.bits) >> shift
        row = MercatorCode.gather(code.bits >> 1) >> shift
    }

    /// The first and the last place of the tile.
    public var codes: ClosedRange<MercatorCode> {
        // The tile's own bits come first. The shift by 64 at zoom 0 gives 0.
        let shift = 64 - 2 * UInt64(zoom)
        let first = MercatorCode(column: column, row: row).bits << shift
        return MercatorCode(bits: first)...MercatorCode(bits: first | (zoom == 0 ? .max : 1 << shift - 1))
    }

    /// The cell of a place in this tile, numbered in Morton's order: the even bits are the column's.
    @inline(__always)
    public func cell(of code: MercatorCode) -> Int { Int(code.bits >> cellShift) & (Self.cells - 1) }

    /// The last place of the cell that contains a place.
    @inline(__always)
    func lastCode(ofCellWith code: MercatorCode) -> MercatorCode {
        MercatorCode(bits: code.bits | (1 << cellShift - 1))
    }

    private var cellShift: UInt64 { 64 - 2 * UInt64(zoom + Self.cellZoom) }
}
