// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL

/// Ends from any thread the statement that a connection waits for.
// "The PGcancel object is read-only as far as PQcancel is concerned, so it can also be invoked from a thread that is
// separate from the one manipulating the PGconn object." It is a copy of the address and the key, so it may outlive the
// connection, and it is freed after the last one that can call.
public final class CancelHandle: @unchecked Sendable {
    private let cancel: OpaquePointer

    init(_ cancel: OpaquePointer) { self.cancel = cancel }

    deinit { PQfreeCancel(cancel) }

    /// Asks for it on a connection of its own, and blocks until the server has the request: longer than any timeout where
    /// the server is dead, so not on a thread that others need.
    ///
    /// The statement fails with ``PostgreSQLError/cancelled(_:)``, or ends as if nothing had happened, where it was over
    /// already. Then the request may meet the next one.
    public func cancelStatement() throws(PostgreSQLError) {
        // "errbuf must be a char array of size errbufsize (the recommended size is 256 bytes)."
        var reason = [CChar](repeating: 0, count: 256)
        guard PQcancel(cancel, &reason, CInt(clamping: reason.count)) == 1 else {
            let text = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw .cannotConnect(LibpqMessage(String(decoding: text, as: UTF8.self)).firstLine)
        }
    }
}
