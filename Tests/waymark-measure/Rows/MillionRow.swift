// SPDX-License-Identifier: Apache-2.0

import LoadTest

struct MillionRow: TableRow {
    func lines(_ run: TableRun) async throws -> [TableLine] {
        let crowd = try await run.everybody()
        let count = FigureUnit.grouped(run.scale.landmarks)
        let each = zip(crowd.memory, crowd.bareMemory).map { ($0 - $1) / Double(run.scale.landmarks) }
        let bare = FigureUnit.grouped(Int((crowd.bareMemory.median ?? 0) / 1_048_576))
        return [
            TableLine(
                .million, "ingest of \(count) landmarks until the last is durable", .seconds, Spread(crowd.ingest),
                goal: .measured(.atMost, 30)
            ).remarking(["\(World.rows) in a request, four under way; measured once."]),
            TableLine(
                .million, "start of the query service until it is ready with \(count)", .seconds, Spread(crowd.starts),
                goal: .measured(.atMost, 2)),
            TableLine(
                .million, "memory of the query service for each of \(count), over that of one with none", .bytes,
                Spread(each), goal: .measured(.atMost, 290)
            ).remarking(["Resident, right after the start; \(bare) MiB with none."]),
        ]
    }
}
