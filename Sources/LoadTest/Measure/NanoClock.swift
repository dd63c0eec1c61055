// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A clock that is the same for all processes of a machine and that nobody can set.
public enum NanoClock {
    /// The nanoseconds since an arbitrary moment (CLOCK_MONOTONIC; Linux reads it without a system call).
    public static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// The CPU time that this process has used, user and system together, in seconds.
    static var processTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Lets the thread sleep for about this many nanoseconds.
    public static func sleep(_ nanoseconds: UInt64) {
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        nanosleep(&time, nil)
    }
}
