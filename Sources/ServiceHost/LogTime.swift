// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The time of a log line, in the forms of the two formats.
struct LogTime {
    private var moment = timespec()

    init() { clock_gettime(CLOCK_REALTIME, &moment) }

    /// - Parameter seconds: the wall-clock time in seconds since 1970.
    init(seconds: Int, nanoseconds: Int) { moment = timespec(tv_sec: seconds, tv_nsec: nanoseconds) }

    /// Unix milliseconds.
    var milliseconds: UInt64 { UInt64(clamping: moment.tv_sec * 1_000 + moment.tv_nsec / 1_000_000) }

    /// Local time with the offset from UTC: `2026-11-21T07:14:19+0000`.
    var local: String {
        var parts = tm()
        var seconds = moment.tv_sec
        guard localtime_r(&seconds, &parts) != nil else { return "-" }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress, strftime(start, buffer.count, "%Y-%m-%dT%H:%M:%S%z", &parts) > 0
            else { return "-" }
            return String(cString: start)
        }
    }
}
