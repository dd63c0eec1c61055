// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A clock that only moves forward and cannot be set.
public enum Monotonic {
    /// Milliseconds since an arbitrary origin. The clock is CLOCK_BOOTTIME, which goes on while the machine sleeps.
    public static var milliseconds: UInt64 { nanoseconds / 1_000_000 }

    /// Nanoseconds since the same origin.
    public static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// The time of day, used only where people read it.
public enum WallClock {
    /// The time in Unix milliseconds.
    public static var milliseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(max(0, time.tv_sec)) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
    }
}
