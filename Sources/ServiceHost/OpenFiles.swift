// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The file descriptors of this process, for connections, database files and everything else.
public enum OpenFiles {
    /// The maximum number of open descriptors.
    public static var limit: Int {
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0 else { return 1_024 }
        return Int(clamping: limits.rlim_cur)
    }

    /// The number of open descriptors; nil if it cannot be determined.
    public static var count: Int? {
        guard let folder = opendir("/proc/self/fd") else {
            // EMFILE: the folder cannot be opened because all descriptors are in use.
            return errno == EMFILE ? limit : nil
        }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            // The entries `.` and `..` begin with a dot; all others are descriptors.
            if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
        }
        // One of the entries is the descriptor that reads the folder.
        return max(0, count - 1)
    }

    /// Raises the limit to the process's hard limit, because 1,024, the default of a shell, is soon used up.
    public static func raiseLimit() {
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0, limits.rlim_cur < limits.rlim_max else { return }
        limits.rlim_cur = limits.rlim_max
        // After a failure the limit is unchanged, and `limit` shows this.
        _ = setrlimit(resource, &limits)
    }

    /// Returns the maximum number of connections for each listening ZeroMQ socket: the wanted number, if there are
    /// enough descriptors. Some of them are left for the database, fetches and libzmq itself.
    ///
    /// - Parameter besideWeb: whether the process also needs ``webConnections(wanted:)``.
    public static func connections(wanted: Int, sockets: Int, besideWeb: Bool) -> Int {
        let others = min(256, limit / 4) + (besideWeb ? webShare : 0)
        return max(16, min(wanted, (limit - others) / max(1, sockets)))
    }

    /// Returns the maximum number of HTTP connections: the wanted number, but at most nine sixteenths of all
    /// descriptors. So 20,480 descriptors suffice for ten thousand streams and for two full ZeroMQ sockets.
    public static func webConnections(wanted: Int) -> Int { max(16, min(wanted, webShare)) }

    private static var webShare: Int { limit / 16 * 9 }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}

/// Reports once when few descriptors are left, and once when there are enough again.
public struct OpenFilesWatch {
    private var isShort = false

    public init() {}

    /// - Returns: a sentence for the log, and whether it is a warning; nil if there is nothing to report.
    public mutating func look(count: Int?, limit: Int) -> (sentence: String, isWarning: Bool)? {
        guard let count else { return nil }
        let left = limit - count
        if !isShort, left < max(32, limit / 20) {
            isShort = true
            return (
                "only \(max(0, left)) of \(limit) file descriptors are left: raise the limit of open files (ulimit -n), "
                    + "or find out which clients hold so many connections", true
            )
        }
        if isShort, left > max(48, limit / 10) {
            isShort = false
            return ("\(left) of \(limit) file descriptors are left again", false)
        }
        return nil
    }
}
