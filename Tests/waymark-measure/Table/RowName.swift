// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The rows of the table: a closed set.
enum RowName: String, CaseIterable, Codable, ExpressibleByArgument {
    case requests, near, growth, redis, postgis, tile38, order, writes, rivals, receipt, fanout, million, mixed
    case people, worlds, start, accounts

    /// The description in the help text.
    var abstract: String {
        switch self {
        case .requests: "requests through the ZeroMQ library beside plain calls of libzmq"
        case .near: "near --limit 20 among all landmarks beside the bare bus"
        case .growth: "time of a near from 10,000 landmarks to all of them"
        case .redis: "near beside Redis, GEOSEARCH … ASC COUNT 20"
        case .postgis: "near beside PostGIS, ORDER BY <-> LIMIT 20"
        case .tile38: "near beside Tile38, NEARBY … LIMIT 20"
        case .order: "answers of near beside brute force with GeographicLib"
        case .writes: "durable writes beside bare SQLite"
        case .rivals: "durable writes beside Redis and PostgreSQL, which wait for the disk too"
        case .receipt: "a write until its receipt beside a bare commit and PUB/SUB"
        case .fanout: "1, 16 and 256 subscribers beside bare commits and PUB/SUB"
        case .million: "ingest, start and memory"
        case .mixed: "near while others write beside near alone"
        case .people: "WaymarkClient, HTTP and the command beside what they stand on"
        case .worlds: "near among towns, in a crowded city, far away, and among moves"
        case .start: "storage's start with a long change log"
        case .accounts: "near with accounts beside an encrypted echo, and while guessed"
        }
    }
}

/// Measures the lines of one row.
protocol TableRow {
    func lines(_ run: TableRun) async throws -> [TableLine]
}

extension RowName {
    var row: any TableRow {
        switch self {
        case .requests: RequestsRow()
        case .near: NearRow()
        case .growth: GrowthRow()
        case .redis: RedisRow()
        case .postgis: PostGISRow()
        case .tile38: Tile38Row()
        case .order: OrderRow()
        case .writes: WritesRow()
        case .rivals: WriteRivalsRow()
        case .receipt: ReceiptRow()
        case .fanout: FanoutRow()
        case .million: MillionRow()
        case .mixed: MixedRow()
        case .people: PeopleRow()
        case .worlds: WorldsRow()
        case .start: StartRow()
        case .accounts: AccountsRow()
        }
    }
}
