// SPDX-License-Identifier: Apache-2.0

import CSQLite
public import Dispatch

/// How a database is opened.
public struct Configuration: Sendable {
    /// Of the connections' queues, as debuggers show it.
    public var label: String
    /// Refuses to write, and to make a file that is not there.
    public var readonly: Bool
    /// How long a statement waits for a lock that another process or connection has.
    public var busyTimeout: Duration
    /// Of the threads on which the work is done.
    public var qos: DispatchQoS

    public init(
        label: String = "sqlite", readonly: Bool = false, busyTimeout: Duration = .zero,
        qos: DispatchQoS = .userInitiated
    ) {
        (self.label, self.readonly, self.busyTimeout, self.qos) = (label, readonly, busyTimeout, qos)
    }

    /// One thread at a time uses a connection, so SQLite need not lock it.
    var openFlags: CInt {
        SQLITE_OPEN_NOMUTEX | (readonly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_CREATE | SQLITE_OPEN_READWRITE)
    }

    /// For a file that no other process uses meanwhile. A lock for that is taken on the file, and only who may write can
    /// take it. A missing file is not created.
    var flagsAlone: CInt { SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE }

    /// SQLite takes whole milliseconds.
    var busyMilliseconds: CInt { CInt(clamping: Int64(busyTimeout / .milliseconds(1))) }
}
