// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The square map of the web, as all map tiles use it: Mercator's projection of a sphere.
public enum WebMercator {
    /// The latitude of the map's upper edge in degrees: atan(sinh π). No tile contains places nearer to a pole.
    public static let maxLatitude = 85.051_128_779_806_59

    /// Returns the place of a coordinate on the map; nil beyond ``maxLatitude``.
    ///
    /// The meridians 180 and -180 are the same, and are at the map's left edge.
    @inline(__always)
    public static func code(of coordinate: Coordinate) -> MercatorCode? {
        guard abs(coordinate.latitude) <= maxLatitude else { return nil }
        let side = 0x1p32
        let column = ((coordinate.longitude + 180) * (side / 360)).rounded(.down)
        let north = atanh(sin(coordinate.latitude * (.pi / 180)))
        let row = ((0.5 - north / (2 * .pi)) * side).rounded(.down)
        return MercatorCode(
            // Rounding can move a place slightly west of longitude 180 onto that meridian.
            column: coordinate.longitude < 180 ? UInt32(min(column, side - 1)) : 0,
            row: UInt32(min(max(row, 0), side - 1)))
    }
}

/// A place on the Web Mercator map as one number. The even bits are its column, the odd bits its row, each counted in
/// 1/2³² of the map's side, which is 9 mm at the equator. In this order (Morton's), every tile is one range of numbers.
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

    /// Returns the even bits of a number as a number.
    static func gather(_ number: UInt64) -> UInt32 {
        var bits = number & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0f0f_0f0f_0f0f_0f0f
        bits = (bits | bits >> 4) & 0x00ff_00ff_00ff_00ff
        bits = (bits | bits >> 8) & 0x0000_ffff_0000_ffff
        return UInt32(truncatingIfNeeded: bits | bits >> 16)
    }

    /// Returns a number with a zero before each bit of the given number.
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

/// A tile of the Web Mercator map, numbered as usual. Zoom z has 2^z columns, counted eastwards from the 180th
/// meridian, and 2^z rows, counted from the north.
public struct MapTile: Hashable, Sendable {
    public static let maxZoom: UInt32 = 20
    /// The number of zoom levels between a tile and its cells, of which the tile has 64 columns and 64 rows.
    static let cellZoom: UInt32 = 6
    /// The number of cells of a tile.
    public static let cells = 1 << (2 * Int(cellZoom))

    public let zoom: UInt32
    public let column: UInt32
    public let row: UInt32

    /// Makes a tile; nil if there is no such tile.
    public init?(zoom: UInt32, column: UInt32, row: UInt32) {
        guard zoom <= Self.maxZoom, column >> zoom == 0, row >> zoom == 0 else { return nil }
        (self.zoom, self.column, self.row) = (zoom, column, row)
    }

    /// Makes the tile of a zoom that contains a place. The zoom is lowered to ``maxZoom`` if it is higher.
    public init(zoom: UInt32, containing code: MercatorCode) {
        self.zoom = min(zoom, Self.maxZoom)
        let shift = 32 - self.zoom
        column = MercatorCode.gather(code.bits) >> shift
        row = MercatorCode.gather(code.bits >> 1) >> shift
    }

    /// The first and the last place of the tile, in Morton order.
    public var codes: ClosedRange<MercatorCode> {
        // The tile's own bits are the highest. At zoom 0 the shift by 64 gives 0.
        let shift = 64 - 2 * UInt64(zoom)
        let first = MercatorCode(column: column, row: row).bits << shift
        return MercatorCode(bits: first)...MercatorCode(bits: first | (zoom == 0 ? .max : 1 << shift - 1))
    }

    /// Returns the number of the cell that contains a place of this tile, in Morton order: even bits are the column's.
    @inline(__always)
    public func cell(of code: MercatorCode) -> Int { Int(code.bits >> cellShift) & (Self.cells - 1) }

    /// The number of steps along the side of a tile.
    public static let steps: UInt32 = 4_096

    /// Returns how many steps a coordinate is from the left and from the upper edge; nil if it is not on this tile.
    public func steps(to coordinate: Coordinate) -> (right: UInt32, down: UInt32)? {
        guard let code = WebMercator.code(of: coordinate), codes.contains(code) else { return nil }
        // The bits of the tile's own number fall out at the left.
        let (right, down) = (MercatorCode.gather(code.bits) << zoom, MercatorCode.gather(code.bits >> 1) << zoom)
        return (right >> 20, down >> 20)
    }

    /// Returns the last place of the cell that contains a place.
    @inline(__always)
    func lastCode(ofCellWith code: MercatorCode) -> MercatorCode {
        MercatorCode(bits: code.bits | (1 << cellShift - 1))
    }

    private var cellShift: UInt64 { 64 - 2 * UInt64(zoom + Self.cellZoom) }
}
