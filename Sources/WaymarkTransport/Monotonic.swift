// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The clock that only moves forward and cannot be set.
public enum Monotonic {
    /// Milliseconds since an arbitrary origin. CLOCK_BOOTTIME continues while the machine sleeps, as a peer's clock
    /// does.
    public static var milliseconds: UInt64 { nanoseconds / 1_000_000 }

    /// Nanoseconds since the same origin.
    public static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// The time of day, for people only.
public enum WallClock {
    /// The time in Unix milliseconds.
    public static var milliseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(max(0, time.tv_sec)) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
    }
}
