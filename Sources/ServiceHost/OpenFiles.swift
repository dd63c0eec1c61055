// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file descriptors of this process: connections, files of the database, everything.
public enum OpenFiles {
    /// How many there may be.
    public static var limit: Int {
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0 else { return 1_024 }
        return Int(clamping: limits.rlim_cur)
    }

    /// How many there are; nil where that cannot be told.
    public static var count: Int? {
        // The one that reads the list is in it.
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { max(0, $0.count - 1) }
    }

    /// Raises the limit to the hardest that this process may have. A shell's default of 1,024 is soon used up.
    public static func raiseLimit() {
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0, limits.rlim_cur < limits.rlim_max else { return }
        limits.rlim_cur = limits.rlim_max
        // Where that is refused it stays as it was, and whoever asks for the limit is told so.
        _ = setrlimit(resource, &limits)
    }

    /// How many connections each of so many listening sockets may have: what is wanted, as far as descriptors go round
    /// with some left for the database, fetches and libzmq itself.
    public static func connections(wanted: Int, sockets: Int) -> Int {
        let spare = min(256, limit / 4)
        return max(16, min(wanted, (limit - spare) / max(1, sockets)))
    }

    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let resource = RLIMIT_NOFILE
    #endif
}

/// Says when few descriptors are left, and when there are enough again: once each.
public struct OpenFilesWatch {
    private var isShort = false

    public init() {}

    /// - Returns: a sentence for the log, and whether it is a warning; nil when there is nothing new.
    public mutating func look(count: Int?, limit: Int) -> (sentence: String, isWarning: Bool)? {
        guard let count else { return nil }
        let left = limit - count
        if !isShort, left < max(32, limit / 20) {
            isShort = true
            return (
                "only \(max(0, left)) of \(limit) file descriptors are left: raise the limit of open files (ulimit -n), "
                    + "or find out who holds so many connections", true
            )
        }
        if isShort, left > max(48, limit / 10) {
            isShort = false
            return ("\(left) of \(limit) file descriptors are left again", false)
        }
        return nil
    }
}
