// SPDX-License-Identifier: Apache-2.0

import CSQLite
public import Dispatch

/// The settings of a database's connections.
public struct Configuration: Sendable {
    /// The label of the connections' queues, which debuggers show.
    public var label: String
    /// Whether the connections only read. Then writes are refused, and a missing file is not created.
    public var readonly: Bool
    /// How long a statement waits for a lock that another process or connection has.
    public var busyTimeout = Duration.zero
    /// The priority of the threads that do the work.
    public var qos: DispatchQoS

    public init(label: String = "sqlite", readonly: Bool = false, qos: DispatchQoS = .userInitiated) {
        (self.label, self.readonly, self.qos) = (label, readonly, qos)
    }

    /// SQLite need not lock a connection, because only one thread at a time uses it.
    var openFlags: CInt {
        SQLITE_OPEN_NOMUTEX | (readonly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_CREATE | SQLITE_OPEN_READWRITE)
    }

    /// Flags for a file that no other process may use meanwhile. Excluding other processes needs a lock on the file,
    /// which only a writing connection can take. A missing file is not created.
    var flagsAlone: CInt { SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE }

    /// The busy timeout in whole milliseconds, as SQLite expects it.
    var busyMilliseconds: CInt { CInt(clamping: Int64(busyTimeout / .milliseconds(1))) }
}
