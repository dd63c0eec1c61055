// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL

/// Notices that the server sends in addition to its answers. Only one of them matters here: that the server has given
/// up waiting for a standby.
///
/// The server sends "canceling wait for synchronous replication due to user request" as a warning, and answers the
/// COMMIT as if the standby had confirmed it. `pg_cancel_backend` and `statement_timeout` cause this.
final class Notices {
    /// Whether the server answered a COMMIT that no standby has confirmed.
    private(set) var isUnconfirmed = false

    /// Makes libpq report notices to this object, which must live as long as the handle.
    func receive(from handle: OpaquePointer) {
        let receiver: PQnoticeReceiver = { context, result in
            guard let context, let result else { return }
            // Safe, because `context` is the object passed below, and the owner of the handle also owns this object.
            // libpq calls the receiver only inside calls for the handle, on the thread that uses the connection.
            let notices = unsafe Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue()
            unsafe notices.handle(result)
        }
        PQsetNoticeReceiver(handle, receiver, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Recognises the notice by the name of the function that sends it, because its text is translated and its SQLSTATE
    /// is that of every warning.
    private func handle(_ notice: OpaquePointer) {
        let sourceFunction = CInt(UInt8(ascii: "R"))
        guard let function = PQresultErrorField(notice, sourceFunction) else { return }
        if String(cString: function) == "SyncRepWaitForLSN" { isUnconfirmed = true }
    }
}
