// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The file descriptors of this process: connections, database files and all others.
public enum OpenFiles {
    /// The limit of open descriptors.
    public static var limit: Int {
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0 else { return 1_024 }
        return Int(clamping: limits.rlim_cur)
    }

    /// The number of open descriptors; nil where it cannot be determined.
    public static var count: Int? {
        guard let folder = opendir("/proc/self/fd") else {
            // The folder cannot be opened because no descriptor is left.
            return errno == EMFILE ? limit : nil
        }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            // The folder itself and its parent begin with a dot.
            if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
        }
        // The list includes the descriptor that reads it.
        return max(0, count - 1)
    }

    /// Raises the limit to the process's hard limit. A shell's default of 1,024 is soon used up.
    public static func raiseLimit() {
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0, limits.rlim_cur < limits.rlim_max else { return }
        limits.rlim_cur = limits.rlim_max
        // A failure leaves the limit as it was, and `limit` reports that.
        _ = setrlimit(resource, &limits)
    }

    /// The most connections for each of the bus's listening sockets: the wanted number, as far as descriptors suffice.
    /// A quarter of them is left for the web, and some for the database, fetches and libzmq itself.
    public static func connections(wanted: Int, sockets: Int) -> Int {
        let spare = min(256, limit / 4)
        return max(16, min(wanted, (limit - limit / 4 - spare) / max(1, sockets)))
    }

    /// The most connections for the web: the wanted number, at most a quarter of all descriptors.
    public static func webConnections(wanted: Int) -> Int { max(16, min(wanted, limit / 4)) }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}

/// Reports once that few descriptors are left, and once that there are enough again.
public struct OpenFilesWatch {
    private var isShort = false

    public init() {}

    /// - Returns: a sentence for the log, and whether it is a warning; nil if nothing has changed.
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
