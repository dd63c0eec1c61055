// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// A cell in a grid over the whole world. At level L the grid has 2ᴸ rows and as many columns, of equal degrees.
struct FilterCell: Hashable {
    /// The level of the smallest cells, some 38 m wide at the equator and half as high.
    static let lastLevel = 20

    /// A bit at 2 · L, below it L bits of the row, and L bits of the column.
    private let number: UInt64

    var level: Int { (63 - number.leadingZeroBitCount) / 2 }

    /// The cell that contains a place.
    ///
    /// - Precondition: `level` is within 0 to ``lastLevel``.
    init(_ place: Coordinate, level: Int) {
        let side = 1 << level
        self.init(level, Self.row(place.latitude, side), Self.column(place.longitude, side) % side)
    }

    private init(_ level: Int, _ row: Int, _ column: Int) {
        number = 1 << UInt64(2 * level) | UInt64(row) << UInt64(level) | UInt64(column)
    }

    /// The cells that a box touches, at most four, because they are those of a level at which the box is at most one
    /// cell wide and high.
    static func cells(of box: AreaBox) -> [FilterCell] {
        let width = box.east - box.west + (box.west <= box.east ? 0 : 360)
        let size = max(width / 360, (box.north - box.south) / 180)
        let level = size < 0x1p-20 ? lastLevel : max(0, -1 - Int(size.exponent))
        let side = 1 << level
        // Columns go on beyond the 180th meridian, whose column is the first one, as for a place there.
        let first = column(box.west, side)
        let last = column(box.east, side) + (box.west <= box.east ? 0 : side)
        return (row(box.south, side)...row(box.north, side)).flatMap { row in
            (first...min(last, first + side - 1)).map { FilterCell(level, row, $0 % side) }
        }
    }

    private static func row(_ latitude: Double, _ side: Int) -> Int {
        min(side - 1, Int((latitude + 90) / 180 * Double(side)))
    }

    private static func column(_ longitude: Double, _ side: Int) -> Int { Int((longitude + 180) / 360 * Double(side)) }
}
