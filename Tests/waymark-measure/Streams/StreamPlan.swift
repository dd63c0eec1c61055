// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// Which streams get which changes: those of one group get the changes at the group's site.
struct StreamPlan {
    private static let columns = 100

    let streams: Int
    /// The number of streams of a group.
    let each: Int

    var groups: Int { (streams + each - 1) / each }

    func group(ofStream stream: Int) -> Int { stream / each }

    func group(ofChange number: Int) -> Int { number * 7_919 % groups }

    /// Sites are more than 100 km apart.
    func site(_ group: Int) throws -> Coordinate {
        let (row, column) = (group / Self.columns, group % Self.columns)
        return try Coordinate(latitude: Double(row * 7 % 100) * 1.2 - 60, longitude: Double(column) * 3.4 - 170)
    }

    /// - Returns: the stream's own filter as a query of the address.
    func area(_ stream: Int) throws -> String {
        let site = try site(group(ofStream: stream))
        return "?lat=\(site.latitude)&lng=\(site.longitude)&radius=\(10_000 + stream % each)"
    }
}
