// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL

/// Notices that the server sends beside its answers. Only one of them matters here: that it gave up the wait for a
/// standby.
///
/// "canceling wait for synchronous replication due to user request" is a warning, and the COMMIT is answered as if the
/// standby had it. `pg_cancel_backend` and `statement_timeout` cause this.
final class Notices {
    /// Whether a COMMIT was answered that no standby has confirmed.
    private(set) var isUnconfirmed = false

    /// Has libpq call this object, which must live as long as the handle.
    func receive(from handle: OpaquePointer) {
        let receiver: PQnoticeReceiver = { context, result in
            guard let context, let result else { return }
            // Safe: `context` is the object passed below, and the owner of the handle owns it too. libpq calls this
            // inside of calls for the handle, so on the thread that uses the connection.
            let notices = unsafe Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue()
            unsafe notices.handle(result)
        }
        PQsetNoticeReceiver(handle, receiver, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Recognises the notice by its place in the server's source: its text is translated, and its code is that of any
    /// warning.
    private func handle(_ notice: OpaquePointer) {
        let sourceFunction = CInt(UInt8(ascii: "R"))
        guard let function = PQresultErrorField(notice, sourceFunction) else { return }
        if String(cString: function) == "SyncRepWaitForLSN" { isUnconfirmed = true }
    }
}
