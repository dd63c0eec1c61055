// SPDX-License-Identifier: Apache-2.0

import EngineParts
import PostgreSQL

extension Connection: CopiedDatabase {
    package func adopt(_ head: CopiedHead) throws {
        for table in CopiedTable.all where table.isNumbered {
            let key = table.columns[0].name
            try execute(
                """
                SELECT setval(pg_get_serial_sequence('\(table.name)', '\(key)'), greatest(1, max(\(key))), max(\(key)) > 0)
                FROM \(table.name)
                """)
        }
        let server = try DatabaseIdentity(self)
        try rows("DELETE FROM history")
        try rows(
            "INSERT INTO history VALUES (1, $1, $2, $3, $4, $5, 0, 0, 0, $6, $7, $8)",
            [
                .bits(head.epoch.high), .bits(head.epoch.low), .bits(head.head.rev), .bits(head.head.landmarks),
                .bits(head.newest),
            ] + server.parameters)
    }
}
