// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL
import Glibc

/// Sends the rows of a COPY FROM STDIN in the binary format. It is of use only inside the closure that it is given to.
public final class CopyWriter {
    /// Nil when the COPY is over.
    private var connection: Connection?
    private var encoder = BinaryEncoder()
    /// How much is collected before it is sent.
    private static let chunk = 64 * 1_024
    /// Two bytes count a row's fields, and tables have at most 1,600 columns.
    private static let mostFields = 1_600

    init(_ connection: Connection) {
        self.connection = connection
        // The signature, no flags, no header extension.
        encoder.append(raw: "PGCOPY\n".utf8)
        encoder.append(raw: [0xff, 0x0d, 0x0a, 0])
        encoder.append(0 as UInt64)
    }

    /// The fields must have exactly the types of the columns. Nothing of a row is sent that is refused here.
    public func append(_ row: [Parameter]) throws(PostgreSQLError) {
        guard connection != nil else { throw .closed }
        guard row.count <= Self.mostFields else { throw .parameter(.tooMany(row.count)) }
        let start = encoder.bytes.count
        encoder.append(Int16(row.count))
        do throws(ParameterError) {
            for field in row { try encoder.appendField(field) }
        } catch {
            encoder.cut(to: start)
            throw .parameter(error)
        }
        if encoder.bytes.count >= Self.chunk { try send() }
    }

    /// What ends the rows.
    func finish() throws(PostgreSQLError) {
        encoder.append(-1 as Int16)
        try send()
    }

    func end() { connection = nil }

    private func send() throws(PostgreSQLError) {
        guard let connection else { throw .closed }
        let (handle, deadline) = (try connection.open(), connection.newDeadline())
        try connection.repeatedly(until: deadline) {
            encoder.bytes.withUnsafeBytes { bytes in
                PQputCopyData(
                    handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(clamping: bytes.count))
            }
        }
        encoder.removeAll()
        // Otherwise all of the rows would be collected in libpq's memory.
        while true {
            let unsent = PQflush(handle)
            guard unsent >= 0 else { throw connection.lost() }
            if unsent == 0 { return }
            try connection.wait(for: POLLIN | POLLOUT, deadline)
        }
    }
}
