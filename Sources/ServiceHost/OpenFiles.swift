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
            // Not even one was left to look with.
            return errno == EMFILE ? limit : nil
        }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            // The folder itself and the one above it begin with a dot.
            if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
        }
        // The list includes the descriptor that is used to read it.
        return max(0, count - 1)
    }

    /// Raises the limit to the process's hard limit. A shell's default of 1,024 is soon used up.
    public static func raiseLimit() {
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0, limits.rlim_cur < limits.rlim_max else { return }
        limits.rlim_cur = limits.rlim_max
        // If this fails the limit stays as it was, and `limit` reports that.
        _ = setrlimit(resource, &limits)
    }

    /// How many connections each of the listening sockets of the bus may have: the wanted number, as far as descriptors
    /// suffice, with a quarter left for the web and some for the database, fetches and libzmq itself.
    public static func connections(wanted: Int, sockets: Int) -> Int {
        let spare = min(256, limit / 4)
        return max(16, min(wanted, (limit - limit / 4 - spare) / max(1, sockets)))
    }

    /// How many connections the web may have: the wanted number, at most a quarter of all descriptors.
    public static func webConnections(wanted: Int) -> Int { max(16, min(wanted, limit / 4)) }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}

/// Reports when few descriptors are left, and when there are enough again: once each.
public struct OpenFilesWatch {
    private var isShort = false

    public init() {}

    /// - Returns: a sentence for the log, and whether it is a warning; nil when nothing has changed.
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
